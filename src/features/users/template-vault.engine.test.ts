import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compare } from "#judging/face/matching/comparison";
import { isSameTemplate, mapTemplate, unpackPair } from "#judging/face/matching/template";
import { openBox, sealBox } from "#machine/storage/sealed-box";
import { openUserHarness, type UserHarness } from "#support/users/harness";
import type { SealedTemplate, User } from "./store/user.ts";

let harness: UserHarness;
let face: Uint8Array;
let tenants: readonly string[];

beforeAll(async () => {
  harness = await openUserHarness();
  face = await harness.templateOf("franck_01829.jpg");
  tenants = [await harness.newTenant(), await harness.newTenant()];
});
afterAll(() => harness.close());

type Kept = SealedTemplate & Pick<User, "tenantId" | "environment" | "id">;

const keep = async (tenantId: string, template = face): Promise<Kept> => {
  const owner = { tenantId, environment: "test", id: randomUUID() } as const;
  return { ...owner, ...(await harness.service.vault.seal(owner, template)) };
};

const boxKeyOf = async ({ tenantId, environment, id, keyId, wrappedKey }: Kept) => {
  const context = { owner: `person ${id} key`, environment };
  const bytes = await harness.keyring.open(tenantId, "templates", wrappedKey, context);
  return { id: keyId.replaceAll("-", ""), bytes };
};

const associatedWith = ({ tenantId, id }: Kept) => ["person template", tenantId, id];

/** The sealed content as an attacker sees it who has every key but not the secret of the transform. */
const unseal = async (kept: Kept): Promise<Uint8Array> =>
  openBox(await boxKeyOf(kept), associatedWith(kept), kept.sealedTemplate);

const vectorsOf = (template: Uint8Array) => {
  const { dlib, faceres } = unpackPair(template)!;
  return [dlib, faceres];
};
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
/** Every piece of 8 bytes. */
const piecesOf = (bytes: Uint8Array): Set<string> =>
  new Set(
    Array.from({ length: bytes.length - 7 }, (_, at) =>
      Buffer.from(bytes.subarray(at, at + 8)).toString("hex"),
    ),
  );

describe("a template at rest", () => {
  it("opens unchanged for its own user only, and not after a changed bit", async () => {
    const kept = await keep(tenants[0]!);
    expect(isSameTemplate(await harness.service.vault.open(kept), face)).toBe(true);
    const damaged = { code: "stored_damaged" };
    await expect(harness.service.vault.open({ ...kept, id: randomUUID() })).rejects.toMatchObject(damaged);
    await expect(harness.service.vault.open({ ...kept, tenantId: tenants[1]! })).rejects.toMatchObject(
      damaged,
    );
    await expect(harness.service.vault.open({ ...kept, environment: "live" })).rejects.toMatchObject(damaged);
    const { sealedTemplate } = await keep(tenants[0]!);
    await expect(harness.service.vault.open({ ...kept, sealedTemplate })).rejects.toMatchObject(damaged);
    const changed = kept.sealedTemplate.with(1000, kept.sealedTemplate[1000]! ^ 1);
    await expect(harness.service.vault.open({ ...kept, sealedTemplate: changed })).rejects.toMatchObject(
      damaged,
    );
  });

  it("in a format of a later release is reported as newer, not as damaged", async () => {
    const kept = await keep(tenants[0]!);
    const inner = await unseal(kept);
    const sealedTemplate = sealBox(await boxKeyOf(kept), associatedWith(kept), inner.with(4, inner[4]! + 1));
    await expect(harness.service.vault.open({ ...kept, sealedTemplate })).rejects.toMatchObject({
      code: "stored_newer",
    });
  });

  it("opens again even with vectors of the greatest length that the format allows", async () => {
    const longest = mapTemplate(face, {
      vector: (vector) => vector.map((value) => value * Math.sqrt(1.000_999_99)),
      cohortScore: (value) => value,
    })!;
    // Rounding changes the length of a vector slightly, depending on the secret.
    for (let n = 0; n < 20; n++) {
      const opened = await harness.service.vault.open(await keep(tenants[0]!, longest));
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
    expect(new Set(heads.map(({ cohortScore }) => cohortScore))).toEqual(new Set([0]));
    for (const [which, length] of [128, 1024].entries()) {
      for (const [a, b] of pairs) {
        // Random directions stay within five deviations, 1/sqrt(n) each; two images of one person are above
        // .9.
        expect(Math.abs(cosine(a[which]!, b[which]!))).toBeLessThan(5 / Math.sqrt(length));
        const [left, right] = [a[which]!, b[which]!].map((vector) => vector.map(Math.abs).toSorted());
        expect(left).not.toEqual(right);
      }
    }
  });

  it("keeps the similarity of two images of one person under one secret", async () => {
    const other = await harness.templateOf("franck_02221.jpg");
    const impostor = await harness.templateOf("cage.jpg");
    const registered = unpackPair(await harness.service.vault.open(await keep(tenants[0]!)))!;
    for (const probe of [other, impostor]) {
      const direct = compare(unpackPair(face)!, unpackPair(probe)!)!;
      const kept = compare(registered, unpackPair(probe)!)!;
      expect(kept.score).toBeCloseTo(direct.score, 4);
    }
  });
});
