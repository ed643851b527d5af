import { expect, it } from "vitest";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { makeCaller, portrait, selfies, useUserHarness } from "#support/users/harness";

const at = useUserHarness(recordedFaceEngine);

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** The bytes of a refusal, but for the id of the request. */
const bytesOf = ({ status, body }: Answer): string => JSON.stringify([status, { ...body, requestId: "" }]);

/** The same token with its last bit changed. */
const broken = (token: string): string => {
  const bytes = Buffer.from(token, "base64");
  bytes[bytes.length - 1]! ^= 1;
  return bytes.toString("base64");
};

it("gives a template of one tenant to no other: the answer is that to a broken token", async () => {
  const template = await at.caller.enrol("ana");
  const otherTenant = await at.harness.newTenant();
  const other = makeCaller(at.harness, at.server, otherTenant);
  const bestImageToken = await at.harness.live(selfies[1]);
  const establish = (registeredTemplateRaw: string) =>
    other.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
  const refused = await establish(template);
  expect(refused).toMatchObject({ status: 422, body: { failure: "token_unreadable" } });
  expect(bytesOf(refused)).toBe(bytesOf(await establish(broken(template))));
  expect(at.harness.peopleOf(otherTenant)).toEqual([]);

  const own = await other.enrol("ana", portrait, selfies[2]);
  for (const [old, fresh] of [
    [template, own],
    [own, template],
  ] as const) {
    const [foreign, cut] = [old, fresh].map((token) => (token === template ? broken(token) : token));
    const update = await other.update("ana", old, fresh);
    expect(update.body).toMatchObject({ failure: "token_unreadable" });
    expect(bytesOf(update)).toBe(bytesOf(await other.update("ana", foreign!, cut!)));
  }
});

it("serves the tenant that it was made for, in both of its environments", async () => {
  const template = await at.caller.enrol("ana");
  const live = makeCaller(at.harness, at.server, at.tenantId, "live");
  const answer = await live.authenticate({
    userId: "ana",
    registeredTemplateRaw: template,
    bestImageToken: await at.harness.live(selfies[1]),
  });
  expect(answer.body).toMatchObject({ serviceResultCode: 0 });
});

it("takes a template that names no tenant from any tenant, as an earlier release made it", async () => {
  const unnamed = await at.harness.token(portrait);
  const tenants = [at.tenantId, await at.harness.newTenant()];
  for (const [turn, tenantId] of tenants.entries()) {
    const answer = await makeCaller(at.harness, at.server, tenantId).authenticate({
      userId: "ana",
      registeredTemplateRaw: unnamed,
      bestImageToken: await at.harness.live(selfies[turn]!),
    });
    expect(answer.body).toMatchObject({ serviceResultCode: 0 });
  }
});
