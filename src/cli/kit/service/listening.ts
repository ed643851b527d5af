import { createServer } from "node:net";

type Address = { readonly host: string; readonly port: number };

/** The holder of a taken port. */
export type PortHolder = "another program" | "another process of Idem";

const explanations: Readonly<Record<string, (at: Address, holder: PortHolder) => string>> = {
  EADDRINUSE: ({ host, port }, holder) =>
    `IDEM_PORT: ${port} on ${host} is taken by ${holder}. Stop it, or set IDEM_PORT to another port.`,
  EACCES: ({ port }) =>
    `IDEM_PORT: this user may not open port ${port}. Take one from 1024 on, or give the program the right (CAP_NET_BIND_SERVICE).`,
  EADDRNOTAVAIL: ({ host }) =>
    `IDEM_HOST: ${host} is not an address of this machine. Set it to one, or to 0.0.0.0 for all.`,
  EAFNOSUPPORT: ({ host }) => `IDEM_HOST: this machine has no addresses of the kind of ${host}.`,
  ENOTFOUND: ({ host }) =>
    `IDEM_HOST: the name ${host} is not known here. Set it to an address of this machine.`,
  EAI_AGAIN: ({ host }) =>
    `IDEM_HOST: the name ${host} could not be resolved. Set it to an address of this machine.`,
};

/** The reason why a port could not be opened: the setting, the observation, the next step. */
export const explainListen = (
  error: unknown,
  at: Address,
  holder: PortHolder = "another program",
): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const explain = Object.hasOwn(explanations, code) ? explanations[code] : undefined;
  return explain?.(at, holder) ?? `${at.host}:${at.port} cannot be opened (${code || String(error)}).`;
};

/**
 * Tries to open a port and closes it at once. Resolves with the error, or undefined where the port can be
 * opened.
 */
export const tryListen = ({ host, port }: Address): Promise<unknown> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
