import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { AddForm } from '../data/forms.ts';
import { CategoryField, Field, NameField } from '../parts/form.tsx';
import { Panel } from '../parts/panel.tsx';
import { Row } from '../parts/row.tsx';
import { Tag } from '../parts/status.tsx';
import { animalHref } from '../route.ts';
import { closeAddForm, isOffline, shop } from '../session.ts';

export function AddPanel({ form }: { readonly form: AddForm }): JSX.Element {
  const { fields, count, problems } = form;
  const root = useRef<HTMLDivElement>(null);
  const submit = () => {
    if (isOffline()) return;
    if (form.submit())
      root.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true });
  };
  return (
    <Panel label="Add animals" onClose={closeAddForm} hasDraft={() => form.isTouched} onSubmit={submit}>
      <h2>Add animals</h2>
      <div ref={root} class="fields">
        <NameField
          value={fields.value.name}
          problem={problems.value.name}
          onValue={(name) => form.edit({ name })}
        />
        <div class="beside">
          <CategoryField
            value={fields.value.category}
            problem={problems.value.category}
            onValue={(category) => form.edit({ category })}
          />
          <Field
            label="How many"
            problem={problems.value.count}
            input={{
              class: 'short',
              inputMode: 'numeric',
              value: count.value,
              onInput: ({ currentTarget }) => (count.value = currentTarget.value),
            }}
          />
        </div>
        <button type="submit" class="button main" aria-disabled={isOffline()}>
          Add
        </button>
      </div>
      <AddedJustNow />
    </Panel>
  );
}

function AddedJustNow(): JSX.Element | null {
  const { added, cache } = shop();
  const animals = added.value.map((id) => cache.animals.get(id)).filter((one) => one && !one.removed);
  if (animals.length === 0) return null;
  return (
    <section>
      <h3 class="quiet">Added just now</h3>
      <ul class="rows added">
        {animals.map((animal) =>
          animal ? (
            <Row
              key={`${animal.id}`}
              lead={<Tag categoryId={animal.categoryId} />}
              name={
                <a class="name" href={animalHref(animal.id)}>
                  <b>
                    <bdi>{animal.name}</bdi>
                  </b>
                </a>
              }
              cells={<small class="id">{`${animal.id}`}</small>}
            />
          ) : null,
        )}
      </ul>
    </section>
  );
}
