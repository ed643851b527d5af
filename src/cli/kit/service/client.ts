/** An HTTP client of the service, as an integrator would write it. */
export type Client = {
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
  readonly delete: (path: string, body: unknown) => Promise<Answer>;
};

export type Answer = {
  readonly status: number;
  /** Parsed JSON, or the text where it is not JSON. */
  readonly body: unknown;
  readonly ms: number;
};

export const makeClient = (url: string, apiKey: string): Client => {
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const started = performance.now();
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, body: parse(text), ms: performance.now() - started };
  };
  const send = (method: string, path: string, body: unknown): Promise<Answer> =>
    call(path, {
      method,
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify(body),
    });
  return {
    post: (path, body) => send("POST", path, body),
    get: (path) => call(path, { headers: { "x-api-key": apiKey } }),
    delete: (path, body) => send("DELETE", path, body),
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
