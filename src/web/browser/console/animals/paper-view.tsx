import type { JSX } from 'preact';
import { route } from '../address.ts';
import { today } from '../parts/time.ts';
import { counted, statusWord } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { printed } from './paper.ts';
import type { Gathered } from './paper-data.ts';

/** What is printed instead of the list on screen. */
export function Paper(): JSX.Element | null {
  const found = printed.value;
  if (!found) return null;
  return (
    <section class="paper">
      <p>{`${whichAnimals(found.length)} on ${today()}`}</p>
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Category</th>
            <th>Status</th>
            <th>Id</th>
          </tr>
        </thead>
        <tbody>
          {found.map((one) => (
            <PaperRow key={`${one.animal.id}`} {...one} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PaperRow({ animal: { id, name, categoryId, status }, order }: Gathered): JSX.Element {
  const category = shop().categories.nameOf(categoryId);
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td>{category === undefined ? <span class="id">{`${categoryId}`}</span> : <bdi>{category}</bdi>}</td>
      <td>
        {statusWord(status)}
        {order?.note === undefined ? null : (
          <>
            {', '}
            <bdi>{order.note}</bdi>
          </>
        )}
      </td>
      <td class="id">{`${id}`}</td>
    </tr>
  );
}

/** What the paper shows, in words: a filter is not to be seen on it. */
function whichAnimals(number: number): string {
  const current = route.value;
  if (current.view !== 'animals') return counted(number, 'animal', 'animals');
  const { status, category, text } = current;
  const kind = status === undefined ? '' : `${statusWord(status).toLowerCase()} `;
  const known =
    category === undefined ? undefined : (shop().categories.nameOf(category) ?? `category ${category}`);
  return [
    counted(number, `${kind}animal`, `${kind}animals`),
    ...(known === undefined ? [] : [`in ${known}`]),
    ...(text === '' ? [] : [`found by “${text}”`]),
  ].join(' ');
}
