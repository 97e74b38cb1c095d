/** The version of the API. */
export const VERSION = '1.0.0';
