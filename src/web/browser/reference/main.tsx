import type { JSX } from 'preact';
import { render } from 'preact';
import { documentUrl } from '../shared/service.ts';
import type { OpenApi } from './document.ts';
import { parse } from './exact-json.ts';
import { ReferencePage } from './page.tsx';

const show = (content: JSX.Element): void => {
  const root = document.getElementById('app');
  if (root) render(content, root);
};

async function load(): Promise<void> {
  show(
    <p class="notice-page" role="status">
      Loading the reference…
    </p>,
  );
  try {
    const response = await fetch(documentUrl);
    if (!response.ok) throw new Error(`${response.status}`);
    show(<ReferencePage document={parse(await response.text()) as OpenApi} />);
  } catch {
    show(
      <main class="notice-page">
        <div role="alert">
          <h1>The reference could not be loaded</h1>
        </div>
        <p>
          {'It is made from the '}
          <a href="openapi.json">OpenAPI document</a>, which did not arrive.
        </p>
        <button type="button" class="button" onClick={() => void load()}>
          Try again
        </button>
      </main>,
    );
  }
}

void load();
