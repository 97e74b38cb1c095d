import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Pet } from '../../../../client/index.ts';
import { categoryNames } from '../data/categories.ts';
import { reservations } from '../data/store.ts';
import { today } from '../parts/time.ts';
import { count, counted, statusWord } from '../parts/wording.ts';
import { route } from '../route.ts';
import { downloadCsv, gathering, gatheringFailed, printAll, printed, stopGathering } from './paper.ts';

/** Takes all matching animals to a spreadsheet or to paper. */
export function PaperTools(): JSX.Element {
  // The browser's own command would print what is loaded so far.
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void printAll();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const running = gathering.value;
  if (running)
    return (
      <span class="paper-tools">
        <span role="status">{`${count(running.count)} so far…`}</span>
        <button type="button" class="button plain small" onClick={stopGathering}>
          Stop
        </button>
      </span>
    );
  return (
    <span class="paper-tools">
      {gatheringFailed.value ? (
        <span class="problem" role="alert">
          Not everything could be loaded. Try again.
        </span>
      ) : null}
      <button type="button" class="button plain small" onClick={() => void downloadCsv()}>
        Download CSV
      </button>
      <button type="button" class="button plain small" onClick={() => void printAll()}>
        Print
      </button>
    </span>
  );
}

/** What is printed instead of the list on screen. */
export function Paper(): JSX.Element | null {
  const pets = printed.value;
  if (!pets) return null;
  return (
    <section class="paper">
      <p>{`${whichAnimals(pets.length)} on ${today()}`}</p>
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
          {pets.map((pet) => (
            <PaperRow key={`${pet.id}`} pet={pet} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function PaperRow({ pet: { id, name, categoryId, status } }: { readonly pet: Pet }): JSX.Element {
  const note = status === 'pending' ? reservations.peek().get(id)?.note : undefined;
  const category = categoryNames.peek().get(categoryId);
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td>{category === undefined ? <span class="id">{`${categoryId}`}</span> : <bdi>{category}</bdi>}</td>
      <td>
        {statusWord(status)}
        {note === undefined ? null : (
          <>
            {', '}
            <bdi>{note}</bdi>
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
  const { status, category, name } = current;
  const kind = status === undefined ? '' : `${statusWord(status).toLowerCase()} `;
  const known = category === undefined ? undefined : (categoryNames.peek().get(category) ?? `${category}`);
  return [
    counted(number, `${kind}animal`, `${kind}animals`),
    ...(known === undefined ? [] : [`of the category ${known}`]),
    ...(name === '' ? [] : [`found by “${name}”`]),
  ].join(' ');
}
