import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";

/** The name of the socket in the data directory. */
export const socketName = "admin.sock";

/** Longest first line of a connection. */
export const lineBytesMax = 64 * 1024;

/**
 * Longest request: a transaction of an import holds some 1 MB (features/registry/local/import-persons.ts),
 * and a photo may have more than that.
 */
export const requestBytesMax = 8 * 1024 * 1024;

/**
 * Longest answer: a page of 500 records has less than a tenth of it; all data keys of a hundred thousand
 * tenants fit.
 */
export const answerBytesMax = 128 * 1024 * 1024;

const release = Type.String({ minLength: 1, maxLength: 64 });
/** Ids of master keys, the current one first. */
const masterIds = Type.Array(Type.String({ pattern: "^[0-9a-f]{16}$" }), { maxItems: 2 });

/** The first line of a connection: what the command has. A command without master keys needs none. */
const greeting = Type.Object({ open: Type.Literal("store"), release, masterIds });

export type Greeting = Static<typeof greeting>;

export const isGreeting = makeCheck(greeting);

/** The first line of the service: it serves the store, or refuses with a sentence for the operator. */
export const isWelcome = makeCheck(Type.Object({ release, masterIds }));
export const isRefusal = makeCheck(Type.Object({ refusal: Type.String({ maxLength: 4096 }) }));

/** A command of the store with its arguments; `number` identifies its answer. */
const request = Type.Object({
  number: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  args: Type.Array(Type.Unknown(), { maxItems: 16 }),
});

export type StoreRequest = Static<typeof request>;

export const isStoreRequest = makeCheck(request);

const number = Type.Integer();
export const isStoreAnswer = makeCheck(Type.Object({ number, answer: Type.Unknown() }));
/** `refused` is an error of the store in its own form. */
export const isStoreRefusal = makeCheck(Type.Object({ number, refused: Type.Unknown() }));
