import type { Config } from "#machine/config/config";
import type { Role } from "./module.ts";

/**
 * What the operator of a process with a role must read at its start: without a public URL its links name this
 * process, which takes no call. Undefined where there is nothing to say.
 */
export const roleUrlNote = (
  role: Role | undefined,
  { http }: { readonly http: Pick<Config["http"], "publicUrl"> },
): string | undefined =>
  (role === "delivery" || role === "worker") && http.publicUrl === undefined
    ? `IDEM_PUBLIC_URL is not set: links that this process writes into events and certificates name its own address, and a process of the role ${role} answers none of them. Set it to the address of the role api.`
    : undefined;

/**
 * What the operator of a production service should read at the start about its public URL; undefined where
 * there is nothing to say.
 */
export const publicUrlNote = ({
  mode,
  http,
}: {
  readonly mode: Config["mode"];
  readonly http: Pick<Config["http"], "publicUrl">;
}): string | undefined =>
  mode === "production" && http.publicUrl === undefined
    ? "IDEM_PUBLIC_URL is not set: the type of a problem names the address that this process listens on, which callers may not reach"
    : undefined;
