import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Registry, RegistryPerson, RegistryQuestion } from "#features/registry/registry";

/** Persons of Ecuador that a connector serves under the suite. Their numbers are canonical and artificial. */
export const knownPersons = {
  "1710034065": {
    fields: {
      firstName: "ANA MARÍA",
      lastName: "ÑUSTA PRUEBA",
      dateOfBirth: "1990-02-01",
      gender: "F",
      nationality: "ECU",
      documentNumber: "1710034065",
      address: "CALLE FICTICIA 12",
    },
    photo: new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]),
  },
  "0926687856": { fields: { firstName: "LUIS", documentNumber: "0926687856" } },
} as const satisfies Readonly<Record<string, RegistryPerson>>;

/** A canonical number that no connector of the suite holds. */
export const unknownNumber = "1104680135";

export type RegistryHarness = {
  readonly registry: Registry;
  readonly tenantId: string;
  /** From now on the registry cannot answer about a known person; `repair` ends it. */
  readonly breakDown: () => Promise<void>;
  readonly repair: () => Promise<void>;
  /** Codes of the failures while it is broken down. */
  readonly codes: readonly string[];
  readonly close: () => Promise<void>;
};

/** A question of a test key about a person of Ecuador. */
export const aQuestion = (documentNumber: string, tenantId = "tenant"): RegistryQuestion => ({
  tenantId,
  environment: "test",
  transactionId: randomUUID(),
  country: "ECU",
  documentNumber,
});

/** The guarantees of every connector: a registry of Ecuador for test keys that holds {@link knownPersons}. */
export const describeRegistry = (name: string, makeHarness: () => Promise<RegistryHarness>): void => {
  describe(`the registry of a country: ${name}`, () => {
    let harness: RegistryHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterAll(() => harness.close());

    const ask = (documentNumber: string, change: Partial<RegistryQuestion> = {}, signal?: AbortSignal) =>
      harness.registry.ask(
        { ...aQuestion(documentNumber, harness.tenantId), ...change },
        signal ?? new AbortController().signal,
      );

    it("states the connector and why it may be asked", () => {
      expect(["gateway", "local"]).toContain(harness.registry.connector);
      expect(harness.registry.legalBasis).not.toBe("");
    });

    it("returns a known person with every field and the bytes of the photo", async () => {
      const { fields, photo } = knownPersons["1710034065"];
      const answer = await ask("1710034065");
      expect(answer).toMatchObject({ kind: "person", person: { fields } });
      expect(Buffer.from((answer.kind === "person" && answer.person.photo) || [])).toEqual(
        Buffer.from(photo),
      );
    });

    it("leaves out what it has no value for", async () => {
      const answer = await ask("0926687856");
      expect(answer).toStrictEqual({ kind: "person", person: knownPersons["0926687856"] });
    });

    it("has no person under another number", async () => {
      expect(await ask(unknownNumber)).toStrictEqual({ kind: "unknown" });
    });

    it("answers many questions at once, each with its own person", async () => {
      const numbers = Object.keys(knownPersons);
      const asked = Array.from({ length: 20 }, (_, n) => numbers[n % numbers.length] ?? "");
      const answers = await Promise.all(asked.map((number) => ask(number)));
      expect(
        answers.map((answer) => answer.kind === "person" && answer.person.fields.documentNumber),
      ).toEqual(asked);
    });

    it("ends with the reason of its caller's signal", async () => {
      const reason = new Error("the caller left");
      await expect(ask("1710034065", {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    it("refuses a question of another environment or country", async () => {
      await expect(ask("1710034065", { environment: "live" })).rejects.toThrow("live ECU");
      await expect(ask("1710034065", { country: "PER" })).rejects.toThrow("test PER");
    });

    it("fails as declared while it is broken, without a value of the person, and answers again", async () => {
      await harness.breakDown();
      const failure: unknown = await ask("1710034065").catch((error: unknown) => error);
      expect(harness.codes).toContain(failure instanceof Error && "code" in failure && failure.code);
      const shown = JSON.stringify([
        failure instanceof Error && failure.message,
        failure instanceof Error && "facts" in failure && failure.facts,
      ]);
      const { firstName, lastName, documentNumber, dateOfBirth } = knownPersons["1710034065"].fields;
      for (const value of [firstName, lastName, documentNumber, dateOfBirth])
        expect(shown).not.toContain(value);
      await harness.repair();
      expect(await ask("1710034065")).toMatchObject({ kind: "person" });
    });
  });
};
