/** `fetch` that reports the bytes of an event stream: true as they arrive, false when it has ended. */
export const heardFetch =
  (request: typeof fetch, heard: (isAlive: boolean) => void): typeof fetch =>
  async (...args) => {
    const response = await request(...args);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (!response.body || !isStream) return response;
    const { status, headers } = response;
    return new Response(reported(response.body.getReader(), heard), { status, headers });
  };

function reported(
  source: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  heard: (isAlive: boolean) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.read();
        heard(!done);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        heard(false);
        controller.error(error);
      }
    },
    cancel(reason) {
      heard(false);
      return source.cancel(reason);
    },
  });
}
