import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compare } from "../face/matching/comparison.ts";
import { isSameTemplate, unpackPair } from "../face/matching/template.ts";
import type { Person, SealedTemplate } from "../storage/person.ts";
import { openBox } from "../storage/sealed-box.ts";
import { openPeopleHouse, type PeopleHouse } from "./testing/people-house.ts";

let house: PeopleHouse;
let face: Uint8Array;
let tenants: readonly string[];

beforeAll(async () => {
  house = await openPeopleHouse();
  face = await house.templateOf("franck_01829.jpg");
  tenants = [await house.newTenant(), await house.newTenant()];
});
afterAll(() => house.close());

type Kept = SealedTemplate & Pick<Person, "tenantId" | "id">;

const keep = async (tenantId: string, template = face): Promise<Kept> => {
  const owner = { tenantId, id: randomUUID() };
  return { ...owner, ...(await house.service.vault.seal(owner, template)) };
};

/** What lies under the seal: a thief who has every key but not the secret of the transform. */
const unseal = async ({ tenantId, id, keyId, wrappedKey, sealedTemplate }: Kept): Promise<Uint8Array> => {
  const key = await house.keyring.open(tenantId, "templates", wrappedKey, `person ${id} key`);
  const box = { id: keyId.replaceAll("-", ""), bytes: key };
  return openBox(box, ["person template", tenantId, id], sealedTemplate);
};

const vectorsOf = (template: Uint8Array) => {
  const { dlib, faceres } = unpackPair(template)!;
  return [dlib, faceres];
};
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
/** Pieces of 8 bytes at every place. */
const piecesOf = (bytes: Uint8Array): Set<string> =>
  new Set(
    Array.from({ length: bytes.length - 7 }, (_, at) =>
      Buffer.from(bytes.subarray(at, at + 8)).toString("hex"),
    ),
  );

describe("a template at rest", () => {
  it("opens as it was, for its own person alone, and stops opening when a bit has changed", async () => {
    const kept = await keep(tenants[0]!);
    expect(isSameTemplate(await house.service.vault.open(kept), face)).toBe(true);
    const damaged = { code: "stored_damaged" };
    await expect(house.service.vault.open({ ...kept, id: randomUUID() })).rejects.toMatchObject(damaged);
    await expect(house.service.vault.open({ ...kept, tenantId: tenants[1]! })).rejects.toMatchObject(damaged);
    const { sealedTemplate } = await keep(tenants[0]!);
    await expect(house.service.vault.open({ ...kept, sealedTemplate })).rejects.toMatchObject(damaged);
    const changed = kept.sealedTemplate.with(1000, kept.sealedTemplate[1000]! ^ 1);
    await expect(house.service.vault.open({ ...kept, sealedTemplate: changed })).rejects.toMatchObject(
      damaged,
    );
  });

  it("opens again though it was sent with vectors as long as the format lets them be", async () => {
    const longest = house.service.face.mapTemplate(face, {
      vector: (vector) => vector.map((value) => value * Math.sqrt(1.000_999_99)),
      commonness: (value) => value,
    })!;
    // Rounding makes a vector longer or shorter by chance of the secret.
    for (let n = 0; n < 20; n++) {
      const opened = await house.service.vault.open(await keep(tenants[0]!, longest));
      expect(isSameTemplate(opened, longest)).toBe(true);
    }
  });

  it("of one face in two tenants shares no eight stored bytes", async () => {
    const [one, two] = await Promise.all(tenants.map((tenantId) => keep(tenantId)));
    for (const part of ["wrappedKey", "sealedTransform", "sealedTemplate"] as const) {
      const [a, b] = [piecesOf(one![part]), piecesOf(two![part])];
      expect(a.isDisjointFrom(b)).toBe(true);
    }
    expect(one!.keyId).not.toBe(two!.keyId);
  });

  it("cannot be linked to another enrolment of the face even under the seal, nor to the face itself", async () => {
    const kept = await Promise.all([0, 1, 0, 1, 0, 1].map((n) => keep(tenants[n]!)));
    const unsealed = [face, ...(await Promise.all(kept.map(unseal)))].map(vectorsOf);
    const pairs = unsealed.flatMap((a, i) => unsealed.slice(i + 1).map((b) => [a, b] as const));
    const heads = (await Promise.all(kept.map(unseal))).map((bytes) => unpackPair(bytes)!);
    expect(new Set(heads.map(({ commonness }) => commonness))).toEqual(new Set([0]));
    for (const [which, length] of [128, 1024].entries()) {
      for (const [a, b] of pairs) {
        // Random directions stay within five deviations, 1/sqrt(n) each; two pictures of one person are above .9.
        expect(Math.abs(cosine(a[which]!, b[which]!))).toBeLessThan(5 / Math.sqrt(length));
        const [left, right] = [a[which]!, b[which]!].map((vector) => vector.map(Math.abs).toSorted());
        expect(left).not.toEqual(right);
      }
    }
  });

  it("keeps what two pictures of one person have in common, under one secret", async () => {
    const other = await house.templateOf("franck_02221.jpg");
    const stranger = await house.templateOf("cage.jpg");
    const registered = unpackPair(await house.service.vault.open(await keep(tenants[0]!)))!;
    for (const probe of [other, stranger]) {
      const direct = compare(unpackPair(face)!, unpackPair(probe)!)!;
      const kept = compare(registered, unpackPair(probe)!)!;
      expect(kept.score).toBeCloseTo(direct.score, 4);
    }
  });
});
