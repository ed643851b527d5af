import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { type Manifest, manifestSchema } from "./manifest.ts";

/** A file that is refused under any name, and the reason. */
export type Blocked = { readonly sha256: string; readonly name: string; readonly licence: string };

const catalogueShape = makeCheck(Type.Array(manifestSchema));
const blockedShape = makeCheck(
  Type.Array(
    Type.Object({
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      name: Type.String(),
      licence: Type.String(),
    }),
  ),
);

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));

/**
 * The models that the product knows, best first in each slot. The key is the SHA-256, never the repository: a
 * repository whose page states Apache-2.0 holds files whose publisher forbids business use.
 */
export const readCatalogue = (): readonly Manifest[] => catalogueShape.Parse(read("./catalogue.json"));

/** Files whose terms forbid business use. */
export const readBlocked = (): readonly Blocked[] => blockedShape.Parse(read("./blocked.json"));
