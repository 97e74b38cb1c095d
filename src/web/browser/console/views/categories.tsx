import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Category, Inventory, PetStatus } from '../../../../client/index.ts';
import { act } from '../data/act.ts';
import { sum } from '../data/categories.ts';
import { addCategory, mergeCategory, removeCategory, renameCategory } from '../data/category-actions.ts';
import { problemWithName, tidyName } from '../data/forms.ts';
import { count, counted, quoted, statusWord } from '../data/text.ts';
import { Question } from '../parts/dialog.tsx';
import { NameField } from '../parts/form.tsx';
import { LoadFailed, PageHead, Skeleton } from '../parts/list.tsx';
import { keepFocus, Row } from '../parts/row.tsx';
import { State, Tag } from '../parts/status.tsx';
import { shapeOf } from '../parts/words.ts';
import { ANIMALS, routeHref } from '../route.ts';
import { isOffline, may, shop } from '../session.ts';

/** What the dialog is about: a new category, the name of one, or the animals of one that is to be removed. */
type Asked =
  | { readonly id?: bigint; readonly before?: string; readonly moved?: undefined }
  | { readonly moved: Category };

type Ask = (asked: Asked) => void;

const othersThan = (id: bigint): readonly Category[] =>
  shop().categories.all.value.filter((other) => other.id !== id);

export function CategoriesView(): JSX.Element {
  const asked = useSignal<Asked | undefined>(undefined);
  const ask: Ask = (about) => {
    if (!isOffline()) asked.value = about;
  };
  const close = () => (asked.value = undefined);
  const { isLoaded } = shop().categories;
  const failure = shop().api.connection.failure.value;
  return (
    <>
      <PageHead title="Categories">
        {may('pets:write') ? (
          <button type="button" class="button" aria-disabled={isOffline()} onClick={() => ask({})}>
            New category
          </button>
        ) : null}
      </PageHead>
      <section class="card" aria-label="Categories" aria-busy={!isLoaded.value && !failure}>
        {isLoaded.value ? (
          <Rows ask={ask} />
        ) : failure ? (
          <LoadFailed what="Categories" status={failure.status} />
        ) : (
          <Skeleton />
        )}
      </section>
      {asked.value?.moved ? <MoveDialog category={asked.value.moved} onClose={close} /> : null}
      {asked.value && !asked.value.moved ? <NameDialog {...asked.value} onClose={close} /> : null}
    </>
  );
}

const STATUSES = ['available', 'pending', 'sold'] as const satisfies readonly PetStatus[];

/** Keeps the order of the first load: a new name moves no row, and a removed category stays until the person leaves. */
function Rows({ ask }: { readonly ask: Ask }): JSX.Element {
  const { categories, counts } = shop();
  const shown = useRef<readonly bigint[]>([]);
  const unnamed = new Map(categories.unnamed.value.map(({ id, inventory }) => [id, inventory]));
  const present = [...categories.all.value.map(({ id }) => id), ...unnamed.keys()];
  shown.current = [...new Set([...shown.current, ...present])];
  const all = counts.all.value;
  if (shown.current.length === 0)
    return (
      <div class="empty">
        <h2>There are no categories yet</h2>
        <p>A category is added here, or with the first animal in it.</p>
      </div>
    );
  return (
    <ul class="rows categories">
      <Row
        class="head"
        lead={<span />}
        name={<span>Category</span>}
        cells={
          <>
            {STATUSES.map((status) => (
              <span key={status} class={`number state ${shapeOf(status)}`}>
                {statusWord(status)}
              </span>
            ))}
            <span class="number">All</span>
          </>
        }
        actions=""
      />
      {shown.current.map((id) => (
        <CategoryRow key={`${id}`} id={id} unnamed={unnamed.get(id)} ask={ask} />
      ))}
      {all ? (
        <Row
          class="total"
          lead={<span />}
          name={
            <span class="name">
              <b>All animals</b>
            </span>
          }
          cells={<Numbers inventory={all} />}
          actions=""
        />
      ) : null}
    </ul>
  );
}

interface CategoryRowProps {
  readonly id: bigint;
  /** How many animals it has, if it has no name. */
  readonly unnamed: Inventory | undefined;
  readonly ask: Ask;
}

function CategoryRow({ id, unnamed, ask }: CategoryRowProps): JSX.Element | null {
  const category = shop().cache.categories.get(id);
  // A removed category keeps its name.
  const known = useRef(category);
  known.current = category ?? known.current;
  const name = category || !unnamed ? known.current?.name : undefined;
  const inventory = category?.inventory ?? unnamed;
  if (!inventory && name === undefined) return null;
  const called = shop().categories.wordFor(id);
  return (
    <Row
      lead={<Tag categoryId={id} />}
      name={
        <a class="name" href={routeHref({ ...ANIMALS, category: id })}>
          <b title={name}>{name === undefined ? `Category ${id}` : <bdi>{name}</bdi>}</b>
          <small>{name === undefined ? 'without a name' : `id ${id}`}</small>
        </a>
      }
      cells={
        inventory ? (
          <Numbers inventory={inventory} category={{ id, called }} />
        ) : (
          <span class="number">
            <State status="removed" />
          </span>
        )
      }
      actions={inventory ? <Actions id={id} category={category} called={called} ask={ask} /> : ''}
    />
  );
}

interface NumbersProps {
  readonly inventory: Inventory;
  /** Each number leads to the animals that it counts. */
  readonly category?: { readonly id: bigint; readonly called: string };
}

const Numbers = ({ inventory, category }: NumbersProps): JSX.Element => (
  <>
    {STATUSES.map((status) => {
      const word = statusWord(status).toLowerCase();
      const text = [count(inventory[status]), ' ', <span class="word">{word}</span>];
      return category && inventory[status] > 0n ? (
        <a
          key={status}
          class="number"
          href={routeHref({ ...ANIMALS, tab: status, category: category.id })}
          aria-label={`${count(inventory[status])} ${word} in ${category.called}`}
        >
          {text}
        </a>
      ) : (
        <span key={status} class={`number ${category ? 'quiet' : ''}`}>
          {text}
        </span>
      );
    })}
    <b class="number">
      {count(sum(inventory))} <span class="word">in all</span>
    </b>
  </>
);

interface ActionsProps extends Omit<CategoryRowProps, 'unnamed'> {
  readonly category: Category | undefined;
  readonly called: string;
}

function Actions({ id, category, called, ask }: ActionsProps): JSX.Element | null {
  const running = shop().running.at(`category-${id}`);
  if (running !== undefined) return <span class="state running">{running}</span>;
  if (!may('pets:write')) return null;
  const button = (label: string, run: () => void) => (
    <button
      type="button"
      class="button"
      aria-label={`${label} ${called}`}
      aria-disabled={isOffline()}
      onClick={({ currentTarget }) => {
        // The button may disappear while the action runs.
        keepFocus(currentTarget);
        run();
      }}
    >
      {label}
    </button>
  );
  if (!category) return button('Name', () => ask({ id }));
  return (
    <>
      {button('Rename', () => ask({ id, before: category.name }))}
      {button('Remove', () => {
        const animals = sum(category.inventory);
        // Removing an empty category can be undone, so nothing is asked.
        if (animals === 0n && !isOffline()) void act(shop(), removeCategory(shop(), category));
        if (animals > 0n && othersThan(id).length > 0) ask({ moved: category });
        else if (animals > 0n)
          shop().messages.say(
            'wrong',
            `Not removed: ${quoted(category.name)} has animals. Add another category first, to move them there.`,
          );
      })}
    </>
  );
}

interface NameDialogProps extends Omit<Extract<Asked, { moved?: undefined }>, 'moved'> {
  readonly onClose: () => void;
}

/** Says what is wrong beside the name, because the dialog covers the messages. */
function NameDialog({ id, before = '', onClose }: NameDialogProps): JSX.Element {
  const name = useSignal(before);
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const isOpen = useRef(true);
  useEffect(() => {
    document.querySelector<HTMLInputElement>('dialog input')?.select();
    return () => {
      isOpen.current = false;
    };
  }, []);
  const submit = async () => {
    const wanted = tidyName(name.peek());
    if (wanted === before && before !== '') return onClose();
    problem.value = problemWithName(wanted);
    if (problem.peek() !== undefined) return;
    isBusy.value = true;
    const action = id === undefined ? addCategory(shop(), wanted) : renameCategory(shop(), id, wanted);
    const result = await act(shop(), action, { showsRefusal: true });
    isBusy.value = false;
    const refusal = result && !result.isDone && result.isRefused ? result.text : undefined;
    if (refusal !== undefined && !isOpen.current) shop().messages.say('wrong', refusal);
    problem.value = refusal;
    if (result && refusal === undefined && isOpen.current) onClose();
  };
  const called = before === '' ? `category ${id}` : quoted(before);
  return (
    <Question
      title={id === undefined ? 'New category' : `${before === '' ? 'Name' : 'Rename'} ${called}`}
      label={isBusy.value ? 'Saving…' : id === undefined ? 'Add' : 'Save'}
      isBusy={isBusy.value}
      keep="Discard"
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <NameField value={name.value} problem={problem.value} onValue={(value) => (name.value = value)} />
    </Question>
  );
}

/** A category that has animals can be removed once they are in another one. Which ones these were is not known afterwards. */
function MoveDialog({ category, onClose }: { category: Category; onClose: () => void }): JSX.Element {
  const { id, name, inventory } = category;
  // None is chosen at first, because moving cannot be undone.
  const into = useSignal('');
  const isMissing = useSignal(false);
  const others = othersThan(id);
  const submit = () => {
    const target = others.find((other) => `${other.id}` === into.peek());
    isMissing.value = !target;
    if (!target) return;
    onClose();
    void act(shop(), mergeCategory(shop(), category, target));
  };
  return (
    <Question
      title={`Remove ${quoted(name)}`}
      label="Move and remove"
      isRed
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {`Move its ${counted(sum(inventory), 'animal', 'animals')} to `}
        <select
          class="input"
          aria-label="Category"
          aria-invalid={isMissing.value}
          aria-describedby="move-problem"
          data-first
          onChange={({ currentTarget }) => (into.value = currentTarget.value)}
        >
          <option value="">Choose…</option>
          {others.map((other) => (
            <option key={`${other.id}`} value={`${other.id}`}>
              {other.name}
            </option>
          ))}
        </select>
        {` and remove ${quoted(name)}? This cannot be undone.`}
      </p>
      <small id="move-problem" class="problem" role="alert">
        {isMissing.value ? 'Choose the category that they move to.' : ''}
      </small>
    </Question>
  );
}
