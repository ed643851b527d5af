import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readPointer } from "#features/registry/json-pointer";
import { readRegistrySettings } from "#features/registry/settings/read-settings";
import type { GatewayAuth, GatewaySettings } from "#features/registry/settings/settings";
import { fillTemplate, fillText } from "#features/registry/settings/template";
import { makeJudgeUrl } from "#machine/egress/make-egress";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { openDevelopmentAuthority } from "#trust/signers/development/authority";
import { makeDevelopmentKeys } from "#trust/signers/development/make-keys";
import { makeRespond } from "#trust/timestamps/respond";
import { startClearingSimulator } from "./clearing/clearing-simulator.ts";
import { basic } from "./credentials.ts";
import { personAt } from "./persons/persons.ts";
import { makePhotoOf } from "./persons/photos.ts";
import { type SandboxPerson, sandboxRegistryCountries } from "./persons/sandbox-person.ts";
import { startSandbox } from "./sandbox.ts";
import { writeSandboxFiles } from "./settings.ts";

const folder = await mkdtemp(join(tmpdir(), "idem-sandbox-test-"));
const clock = (): Date => new Date();
const authority = openDevelopmentAuthority(await makeDevelopmentKeys(clock()), clock);
const sandbox = await startSandbox({
  port: 0,
  photoOf: makePhotoOf(makeImaging({ limits: defaultImagingLimits })),
  respondTimeStamp: makeRespond({ signer: authority.stamper, clock }),
  startClearing: startClearingSimulator,
});
const files = await writeSandboxFiles(folder, sandbox, { timeStampRoot: "root", certificateKey: "key" });
const settings = readRegistrySettings(files.registries, makeJudgeUrl({ allow: ["127.0.0.1/32"] }));

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** The gateway of a country, as the service reads it from the file. */
const gatewayOf = (person: SandboxPerson): GatewaySettings => {
  const found = person.country === "CHL" ? undefined : settings.test[person.country];
  if (found?.connector !== "gateway") throw new Error(`${person.country} has no gateway`);
  return found;
};

const headersOf = async (auth: GatewayAuth): Promise<Record<string, string>> => {
  if (auth.kind === "key") return { [auth.header]: auth.secret };
  if (auth.kind === "basic") return { authorization: basic(auth.password) };
  if (auth.kind === "none") return {};
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: auth.clientId,
    client_secret: auth.clientSecret,
  });
  const answer: unknown = await (await fetch(auth.tokenUrl, { method: "POST", body })).json();
  return { authorization: `Bearer ${String(readPointer(answer, "/access_token"))}` };
};

/** Asks the registry as the settings state. */
const ask = async (person: SandboxPerson, headers?: Record<string, string>) => {
  const { request, auth } = gatewayOf(person);
  const values = {
    documentNumber: person.documentNumber,
    gender: person.gender,
    ...(person.documentCode !== undefined && { documentCode: person.documentCode }),
  };
  const body = request.body === undefined ? null : JSON.stringify(fillTemplate(request.body, values));
  const answer = await fetch(fillText(request.url, values, encodeURIComponent) ?? "", {
    method: request.method,
    headers: headers ?? (await headersOf(auth)),
    body,
  });
  const read: unknown = await answer.json();
  return { status: answer.status, body: read };
};

/** The value of a field where the settings state it. */
const stated = (
  person: SandboxPerson,
  body: unknown,
  field: "lastName" | "documentNumber" | "gender" | "photo",
) => {
  const rule = gatewayOf(person).answer.fields[field];
  const text = (rule?.from ?? []).map((pointer) => String(readPointer(body, pointer))).join(" ");
  return rule?.values?.[text] ?? text;
};

const setFaults = (url: string, faults: object): Promise<Response> =>
  fetch(`${url}/_faults`, { method: "POST", body: JSON.stringify(faults) });

/** A person of the demo, whose photo is cut out and not drawn. */
const photographed = 1;

describe.each(sandboxRegistryCountries)("the registry of %s", (country) => {
  // One face is drawn, which takes as long as all other cases.
  const person = personAt(country, country === "ECU" ? 42 : photographed);

  it("answers in its own form, where the settings state each value", async () => {
    const { status, body } = await ask(person);
    expect(status).toBe(200);
    expect(stated(person, body, "documentNumber")).toBe(person.documentNumber);
    expect(stated(person, body, "lastName")).toBe(person.surnames.join(" "));
    expect(stated(person, body, "gender")).toBe(person.gender);
    const photo = Buffer.from(stated(person, body, "photo").replace(/^data:.*,/, ""), "base64");
    expect([...photo.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  });

  it("refuses a caller without its credentials", async () => {
    expect((await ask(person, {})).status).toBe(401);
  });

  it("states that it has no such person in the way of the settings", async () => {
    const unheld = {
      ...person,
      documentNumber: country === "PAN" ? "8-1-1" : "0".repeat(person.documentNumber.length),
    };
    const { status, body } = await ask(unheld);
    const { unknown } = gatewayOf(person).answer;
    const isStated = Object.entries(unknown.where).some(([pointer, values]) =>
      values.some((value) => value === readPointer(body, pointer)),
    );
    expect(isStated || unknown.status.includes(status)).toBe(true);
  });
});

it("a registry answers about another person, or with a date of the future, where its switch states so", async () => {
  const person = personAt("PER", 0);
  const url = sandbox.urlOf("reniec-per");
  await setFaults(url, { otherPerson: true, times: 1 });
  expect(stated(person, (await ask(person)).body, "documentNumber")).toBe(personAt("PER", 1).documentNumber);
  await setFaults(url, { futureDate: true, times: 1 });
  expect(JSON.stringify((await ask(person)).body)).toContain('"feNacimiento":"21990101"');
  expect(stated(person, (await ask(person)).body, "documentNumber")).toBe(person.documentNumber);
});

it("a photo with two faces or none is another image", async () => {
  const person = personAt("PER", photographed);
  const photos: string[] = [];
  for (const faults of [{}, { twoFaces: true, times: 1 }, { noFace: true, times: 1 }]) {
    await setFaults(sandbox.urlOf("reniec-per"), faults);
    photos.push(stated(person, (await ask(person)).body, "photo"));
  }
  expect(new Set(photos).size).toBe(3);
});

it("a wrong código dactilar is no person of the registry of Ecuador", async () => {
  const person = { ...personAt("ECU", 42), documentCode: "A1111A1111" };
  expect((await ask(person)).body).toMatchObject({ codigo: "001" });
});

it("the OAuth server refuses another secret, and the registry another token", async () => {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "idem-sandbox",
    client_secret: "x",
  });
  expect((await fetch(`${sandbox.urlOf("oauth")}/token`, { method: "POST", body })).status).toBe(401);
  expect((await ask(personAt("CRI", photographed), { authorization: "Bearer x" })).status).toBe(401);
});

it("no live key reaches the sandbox, and its secrets are for their owner alone", async () => {
  expect(settings.live).toEqual({});
  expect((await stat(join(folder, "secrets", "oauth"))).mode & 0o077).toBe(0);
  const environment = await readFile(files.environment, "utf8");
  expect(environment).toContain("IDEM_EGRESS_ALLOW=127.0.0.1/32\nIDEM_TEST_RECEIVERS=127.0.0.1\n");
  expect(environment).not.toMatch(/IDEM_CLEARING_(URL|BASIC|KEY)/);
});

it("the receiver takes a message and shows it", async () => {
  const url = sandbox.urlOf("receiver");
  const sent = await fetch(`${url}/hooks`, { method: "POST", headers: { "webhook-id": "m1" }, body: "{}" });
  expect(sent.status).toBe(204);
  const shown: unknown = await (await fetch(`${url}/_messages`)).json();
  expect(shown).toEqual({ messages: [{ path: "/hooks", id: "m1", body: "{}" }] });
});
