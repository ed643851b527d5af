import type { Config } from "#config/config";

/**
 * What the operator of a production service should read at the start about its public URL; undefined where there is
 * nothing to say.
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
