/** The API that belongs to this page, also below the path prefix of a proxy. */
export const apiBase = new URL('v1', document.baseURI);
export const documentUrl = new URL('openapi.json', document.baseURI);

const comparable = (address: string): string => new URL(address, document.baseURI).href.replace(/\/+$/, '');

/** Whether a server is the deployment that served this page. */
export const isHere = ({ url }: { readonly url: string }): boolean =>
  comparable(url) === comparable(apiBase.href);

/** The service writes the address of its staging deployment into its pages, where one is configured. */
const staging = document.querySelector<HTMLMetaElement>('meta[name="staging"]')?.content;

/** Whether this page comes from the staging deployment. */
export const isStagingHere = staging !== undefined && isHere({ url: staging });
