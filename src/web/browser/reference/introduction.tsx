import type { JSX } from 'preact';
import { apiBase, isHere } from '../shared/service.ts';
import type { OpenApi } from './document.ts';
import { type Links, richText } from './rich-text.tsx';

export function Introduction({ api, links }: { readonly api: OpenApi; readonly links: Links }): JSX.Element {
  const { info, servers = [] } = api;
  return (
    <section class="introduction">
      <h1>
        {`${info.title} API`}
        <span class="badge">{`Version ${info.version}`}</span>
      </h1>
      <p class="quiet">{info.summary}</p>
      {richText(info.description, links)}
      <p>
        <a href="openapi.json">OpenAPI document</a>
        {' · '}
        <a href="./">Inventory console</a>
      </p>
      <div class="part">
        <h2>Servers</h2>
        <ul class="servers">
          {servers.map((server) => (
            <li key={server.url}>
              <span class="label">{server.description}</span>
              <code>{new URL(server.url, document.baseURI).href}</code>
              {isHere(server) ? <span class="badge">You are here</span> : null}
            </li>
          ))}
        </ul>
        {servers.some(isHere) ? null : (
          <p class="hint">
            {'This page sends its calls to '}
            <code>{apiBase.href}</code>.
          </p>
        )}
      </div>
    </section>
  );
}
