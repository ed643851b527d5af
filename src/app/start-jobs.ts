import type { IdemServer } from "#machine/http/server";
import type { Module } from "./module.ts";

/**
 * The server, which starts the jobs when it listens: they write links with the address of the service, which
 * is known then, also without a public URL. What a dead process left waits until the port is open.
 */
export const startJobsWhenListening = (
  server: IdemServer,
  jobs: NonNullable<Module["jobs"]>,
): IdemServer => ({
  ...server,
  listen: async (at) => {
    const address = await server.listen(at);
    for (const { start } of jobs) start();
    return address;
  },
});
