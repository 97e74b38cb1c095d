import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Order } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { act } from '../data/act.ts';
import { MAX_NOTE, remove, setNote } from '../data/actions.ts';
import type { Animal } from '../data/cache.ts';
import { reservedAt } from '../data/csv.ts';
import { EditForm } from '../data/forms.ts';
import { quoted, short, statusWord } from '../data/text.ts';
import { closePanel } from '../navigation.ts';
import { authorWord, eventShape, petChange } from '../parts/event-words.tsx';
import { CategoryField, NameField } from '../parts/form.tsx';
import { Panel } from '../parts/panel.tsx';
import { actionsOf, perform, Row } from '../parts/row.tsx';
import { AnimalState, CategoryName, State, Tag } from '../parts/status.tsx';
import { ago, moment, shapeOf, shortMoment, statusSince } from '../parts/words.ts';
import { ANIMALS, route, routeHref } from '../route.ts';
import { isOffline, may, shop } from '../session.ts';
import { RemoveDialog } from './remove.tsx';

export function AnimalPanel(): JSX.Element | null {
  const id = route.value.animal;
  if (id === undefined) return null;
  const animal = shop().cache.animals.get(id);
  // What was typed belongs to one animal: another one has a panel of its own.
  return animal ? <KnownAnimal key={`${id}`} animal={animal} /> : <Missing id={id} />;
}

/** An animal that is not loaded yet, or that the service does not know. */
function Missing({ id }: { readonly id: bigint }): JSX.Element {
  const isKnown = shop().cache.animals.isKnown(id);
  return (
    <Panel label={`Animal ${id}`} onClose={closePanel}>
      <div class="empty">
        <h2>{isKnown ? 'No such animal' : may('pets:read') ? 'Loading…' : 'Your key does not allow this'}</h2>
        {isKnown ? (
          <p>
            No animal has the id <span class="id">{`${id}`}</span>, and none had it.{' '}
            <a href={routeHref(ANIMALS)}>See all animals</a>
          </p>
        ) : (
          <p class="id">{`${id}`}</p>
        )}
      </div>
    </Panel>
  );
}

function KnownAnimal({ animal }: { readonly animal: Animal }): JSX.Element {
  const form = useSignal<EditForm | undefined>(undefined);
  const isRemoving = useSignal(false);
  const note = useSignal<Note | undefined>(undefined);
  const { cache } = shop();
  // A note that is being typed stays, even if the animal is sold elsewhere.
  const order = (note.value && cache.orders.get(note.value.orderId)) ?? cache.orderOf(animal);
  if (form.value && !animal.removed)
    return <Editing form={form.value} name={animal.name} onClose={() => (form.value = undefined)} />;
  const isNoteTouched = () => note.peek() !== undefined && note.peek()?.text.trim() !== (order?.note ?? '');
  return (
    <>
      <Panel
        label={animal.name}
        onClose={closePanel}
        hasDraft={isNoteTouched}
        foot={
          <Actions
            animal={animal}
            onEdit={() => (form.value = new EditForm(shop(), animal))}
            onRemove={() => (isRemoving.value = true)}
          />
        }
      >
        <Who animal={animal} onMove={() => (form.value = new EditForm(shop(), animal))} />
        {order ? <OrderCard animal={animal} order={order} note={note} /> : null}
        {animal.removed ? <RemovalCard animal={animal} /> : null}
        <History animal={animal} />
      </Panel>
      {isRemoving.value ? (
        <RemoveDialog
          title={`Remove ${short(animal.name)}?`}
          about={`${short(animal.name)} can be restored from the tab Removed.`}
          onRemove={(reason) => void act(shop(), remove(reason)(shop(), animal))}
          onClose={() => (isRemoving.value = false)}
        />
      ) : null}
    </>
  );
}

function Who({ animal, onMove }: { readonly animal: Animal; readonly onMove: () => void }): JSX.Element {
  const { cache, categories } = shop();
  const { id, name, categoryId, removed } = animal;
  const isUnnamed = categories.isLoaded.value && categories.nameOf(categoryId) === undefined;
  const isWithoutOrder = !removed && cache.isWithoutOrder(animal);
  return (
    <div class="who">
      <span class="hung">
        <Tag categoryId={categoryId} />
      </span>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <p class="facts">
        {isWithoutOrder && shop().running.at(`animal-${id}`) === undefined ? (
          <State status={animal.status}>{`${statusWord(animal.status)} without an order`}</State>
        ) : (
          <AnimalState animal={animal} />
        )}
        <span>
          <CategoryName categoryId={categoryId} />
          {isUnnamed ? ', without a name' : null}
          {isUnnamed && !removed && may('pets:write') ? (
            <>
              {' '}
              <button type="button" class="link" onClick={onMove}>
                Move it
              </button>
            </>
          ) : null}
        </span>
        <span class="id quiet">{`${id}`}</span>
      </p>
    </div>
  );
}

const Cut = ({ isOver, children }: { readonly isOver: boolean; readonly children: ComponentChildren }) => (
  <section class={`order ${isOver ? 'over' : ''}`}>{children}</section>
);

/** The note that is being typed. */
interface Note {
  readonly orderId: bigint;
  readonly text: string;
  /** The note that the person has seen, so that what a colleague has written meanwhile is not overwritten unseen. */
  readonly seen: string;
}

interface OrderCardProps {
  readonly animal: Animal;
  readonly order: Order;
  readonly note: Signal<Note | undefined>;
}

/** Why the animal is reserved or sold, and the note of the reservation, which a click turns into a field. */
function OrderCard({ animal, order, note }: OrderCardProps): JSX.Element {
  const isReserved = order.status === 'placed';
  const { id, note: seen = '' } = order;
  return (
    <Cut isOver={!isReserved}>
      {note.value ? (
        <NoteField animal={animal} order={order} note={note} />
      ) : isReserved && may('store:write') ? (
        <button
          type="button"
          class="note-button"
          title="Edit the note"
          onClick={() => (note.value = { orderId: id, text: seen, seen })}
        >
          {order.note === undefined ? <span class="quiet">Add a note</span> : <bdi>{order.note}</bdi>}
          {icon('pencil')}
        </button>
      ) : order.note === undefined ? null : (
        <p>
          <bdi>{order.note}</bdi>
        </p>
      )}
      <p class="quiet">
        Order <span class="id">{`${id}`}</span>, {orderWords(order)}
      </p>
    </Cut>
  );
}

const by = (keyName: string | null | undefined): string =>
  keyName === undefined ? '' : ` by ${authorWord(keyName)}`;

function orderWords(order: Order): string {
  const { status, createdBy, completedBy } = order;
  const words = `${statusWord(status).toLowerCase()} ${moment(statusSince(order))}`;
  if (status === 'placed') return `${words}${by(createdBy)}`;
  if (status !== 'completed') return words;
  const reserved = reservedAt(order);
  const since = reserved === undefined ? '' : `, reserved ${moment(reserved)}`;
  return `${words}${by(completedBy)}${since}`;
}

/** Enter and Save keep what was typed, Escape does not. */
function NoteField({ animal, order, note }: OrderCardProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  const isBusy = shop().running.at(`animal-${animal.id}`) !== undefined;
  const close = () => {
    note.value = undefined;
    document.querySelector<HTMLElement>('.panel')?.focus({ preventScroll: true });
  };
  const save = async (event: Event) => {
    event.preventDefault();
    const draft = note.peek();
    const now = order.note ?? '';
    if (!draft || draft.text.trim() === now) return close();
    if (isBusy || isOffline()) return;
    if (now !== draft.seen) {
      note.value = { ...draft, seen: now };
      const other = now === '' ? 'has removed it' : `has changed it to ${quoted(now)}`;
      shop().messages.say(
        'wrong',
        `The note of ${short(animal.name)} was not saved: someone else ${other}. Save again to replace that.`,
      );
      return;
    }
    const result = await act(shop(), setNote(shop(), order, draft.text.trim()));
    // What was typed meanwhile is not saved yet.
    if (result?.isDone && note.peek()?.text === draft.text) close();
  };
  return (
    <form onSubmit={save} noValidate>
      <label class="field" for="note">
        <span>Note</span>
      </label>
      <div class="beside">
        <input
          ref={input}
          id="note"
          class="input"
          autocomplete="off"
          dir="auto"
          maxLength={MAX_NOTE}
          placeholder="for whom, until when"
          value={note.value?.text}
          onInput={({ currentTarget: { value: text } }) => {
            if (note.value) note.value = { ...note.value, text };
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            close();
          }}
        />
        <button type="submit" class="button main" aria-disabled={isBusy || isOffline()}>
          Save
        </button>
      </div>
    </form>
  );
}

function RemovalCard({ animal: { removed } }: { readonly animal: Animal }): JSX.Element {
  const event = shop().panel.history.value?.find(({ type }) => type === 'pet.removed');
  return (
    <Cut isOver>
      <p>{removed?.reason === undefined ? 'No reason given' : <bdi>{removed.reason}</bdi>}</p>
      {removed?.at === undefined ? null : (
        <p class="quiet">{`Removed ${ago(removed.at)}${by(event?.keyName)}`}</p>
      )}
    </Cut>
  );
}

/** What has happened to an animal, the latest first; only its orders if the key does not allow the events. */
function History({ animal: { id } }: { readonly animal: Animal }): JSX.Element | null {
  const events = may('events:read') ? shop().panel.history.value : undefined;
  if (!events && (may('events:read') || !may('store:read'))) return null;
  const line = (key: string, shape: string, at: string, text: ComponentChildren) => (
    <Row
      key={key}
      name={
        <span class={`state ${shape}`}>
          <span>{text}</span>
        </span>
      }
      cells={
        <time class="quiet" dateTime={at} title={moment(at)}>
          {shortMoment(at)}
        </time>
      }
    />
  );
  const lines = events
    ? events.map((event) => {
        const text = [petChange(event), <span class="quiet"> by {authorWord(event.keyName)}</span>];
        return line(event.id, eventShape(event), event.at, text);
      })
    : shop()
        .cache.ordersOf(id)
        .map((order) => {
          const text = `${statusWord(order.status)}${order.note === undefined ? '' : `: ${quoted(order.note)}`}`;
          return line(`${order.id}`, shapeOf(order.status), statusSince(order), text);
        });
  return (
    <section>
      <h3 class="quiet">{events ? 'History' : 'Orders'}</h3>
      {lines.length > 0 ? <ul class="rows history">{lines}</ul> : <p class="quiet">Nothing is recorded.</p>}
    </section>
  );
}

interface ActionsProps {
  readonly animal: Animal;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** The same actions as in a row, the one that sells first. */
function Actions({ animal, onEdit, onRemove }: ActionsProps): JSX.Element | null {
  const isBusy = shop().running.at(`animal-${animal.id}`) !== undefined;
  const isResting = isBusy || isOffline();
  const offered = actionsOf(animal).toReversed();
  // A reserved animal cannot be removed.
  const mayRemove = may('pets:write') && !animal.removed && animal.status !== 'pending';
  const mayEdit = may('pets:write') && !animal.removed;
  if (offered.length === 0 && !mayEdit) return null;
  const button = (label: string, look: string, run: () => void) => (
    <button
      key={label}
      type="button"
      class={`button ${look}`}
      aria-disabled={isResting}
      onClick={() => {
        if (isResting) return;
        // The button may disappear, so the panel gets the focus, also after a dialog.
        document.querySelector<HTMLElement>('.panel')?.focus({ preventScroll: true });
        run();
      }}
    >
      {label}
    </button>
  );
  return (
    <>
      {offered.map((one, index) =>
        button(
          one.label === 'Cancel' ? 'Cancel reservation' : one.label,
          index === 0 && one.label !== 'Take back' ? 'main' : '',
          () => perform(one),
        ),
      )}
      {mayEdit ? (
        <span class="more">
          {button('Edit', 'plain', onEdit)}
          {mayRemove ? button('Remove', 'plain', onRemove) : null}
        </span>
      ) : null}
    </>
  );
}

interface EditingProps {
  readonly form: EditForm;
  readonly name: string;
  readonly onClose: () => void;
}

/** The name and the category of an animal. Its status is not a field: selling and reserving are actions. */
function Editing({ form, name, onClose }: EditingProps): JSX.Element {
  const { fields, problems } = form;
  const isBusy = shop().running.at(`animal-${form.id}`) !== undefined;
  const save = async () => {
    if (!isBusy && !isOffline() && (await form.save())) onClose();
  };
  return (
    <Panel
      key="edit"
      label={`Edit ${name}`}
      onClose={onClose}
      hasDraft={() => form.isTouched}
      onSubmit={() => void save()}
      foot={
        <>
          <button type="submit" class="button main" aria-disabled={isBusy || isOffline()}>
            {isBusy ? 'Saving…' : 'Save'}
          </button>
          <button type="button" class="button" onClick={onClose}>
            Discard
          </button>
        </>
      }
    >
      <h2>
        Edit <bdi>{name}</bdi>
      </h2>
      <NameField
        value={fields.value.name}
        problem={problems.value.name}
        onValue={(name) => form.edit({ name })}
      />
      <CategoryField
        value={fields.value.category}
        problem={problems.value.category}
        onValue={(category) => form.edit({ category })}
      />
    </Panel>
  );
}
