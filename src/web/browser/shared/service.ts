/** The API that belongs to this page, also below the path prefix of a proxy. */
export const apiBase = new URL('v1', document.baseURI);
export const documentUrl = new URL('openapi.json', document.baseURI);

export interface Server {
  readonly url: string;
  readonly description?: string;
}

const comparable = (address: string): string => new URL(address, document.baseURI).href.replace(/\/+$/, '');

/** Whether `server` is the deployment that served this page. */
export const isHere = ({ url }: Server): boolean => comparable(url) === comparable(apiBase.href);

/** Whether this page comes from the deployment that the document calls staging. */
export const isStaging = (servers: readonly Server[]): boolean =>
  servers.some((server) => server.description === 'Staging' && isHere(server));
