/** Options of the commands that call a running service. `key`: what its API key needs. */
export const serviceOptions = <const Key extends string>(key: Key) =>
  ({
    url: { type: "string", says: "base address of the service; default http://127.0.0.1 with IDEM_PORT" },
    "key-from": {
      type: "string",
      says: `environment variable with an API key ${key}; default: the development key\nof the data directory`,
    },
  }) as const;
