import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssuranceLevel } from "#contract/liveness";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import type { Scope } from "#contract/scope";
import { countedUnder } from "#judging/face/countable-rate";
import { anImage } from "#support/clearing/fill-store";
import { type ClearingHarness, openClearingHarness, testPasswords } from "#support/clearing/harness";
import { makePasswords } from "../credentials/password.ts";
import { checksOfOwnerMax } from "../credentials/password-queue.ts";

let harness: ClearingHarness;
beforeAll(async () => {
  harness = await openClearingHarness({ settings: { usesMax: 3 } });
});
afterAll(() => harness.close());

type Owner = { readonly tenantId?: string; readonly environment?: "live" | "test" };

/** A token with its transaction, validation and a key of its owner. */
const issue = async (
  {
    policyVersion,
    portraitEvidence,
    level,
    ...owner
  }: Owner & {
    readonly policyVersion?: string;
    readonly portraitEvidence?: PortraitEvidence;
    readonly level?: AssuranceLevel;
  } = {},
  at: ClearingHarness = harness,
) => {
  const image = anImage();
  const transaction = await at.identify({
    ...owner,
    reference: image,
    ...(policyVersion !== undefined && { policyVersion }),
    ...(level && { level }),
  });
  const scan = await at.validate({
    ...owner,
    images: [image],
    ...(portraitEvidence && { portraitEvidence }),
  });
  const { key, verify } = at.callerOf(owner);
  const { token } = (await verify(transaction, scan)).body;
  return { transaction, scan, key, token: String(token) };
};

const withPassword = async (
  tenantId: string,
  at: ClearingHarness = harness,
  passwordHash: Promise<string> = testPasswords.hash("contraseña larga"),
) => {
  await at.store.setClearingCredentials(
    {
      tenantId,
      environment: "test",
      user: "clearing",
      passwordHash: await passwordHash,
      changedAt: new Date(),
    },
    { evidence: [] },
  );
};

/** From now on the clock of the service stands still, later than the real one by this. */
const stopClock = ({ clock }: ClearingHarness, aheadMs = 0): void => {
  const now = startMs + aheadMs;
  Object.defineProperty(clock, "aheadMs", { configurable: true, get: () => now - Date.now() });
};
const startMs = Date.now() + 600_000;

const times = (count: number, status: number): readonly number[] =>
  Array.from({ length: count }, () => status);

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("GET /services/clearing/{serviceTransactionId}/certificate", () => {
  it("answers who was verified, when and how, as JSON, under both names", async () => {
    const { transaction, scan, key, token } = await issue();
    for (const [name, openingsLeft] of [
      ["clearing", 2],
      ["previred", 1],
    ] as const) {
      const answer = await harness.load(transaction, { token, apiKey: key }, { name });
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
        200,
        "application/json; charset=utf-8",
      ]);
      const body = answer.json();
      expect(body).toEqual({
        environment: "test",
        serviceTransactionId: transaction,
        codigoVerificacion: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        facialAuthenticationResult: 3,
        facialAuthenticationSimilarity: 0.99214232,
        countedFalseMatchRate: 0.0001,
        countedPairs: 7_255_541,
        countedFalseMatchRateWorstGroup: 0.01,
        countedPairsWorstGroup: 44_850,
        passiveLivenessResult: 3,
        livenessLevel: null,
        documentValidationCode: 9001,
        scanReference: scan,
        verifiedAt: expect.stringMatching(/Z$/),
        documentDecidedAt: "2026-11-21T09:30:04.000Z",
        samePersonBy: "image",
        documentComparison: null,
        portraitEvidence: null,
        personIsKept: true,
        person: {
          firstName: "ANNA MARÍA <b>",
          lastName: "ERIKSSON",
          idNumber: "12345678-5",
          dateOfBirth: "1974-08-12",
        },
        document: { type: "ID_CARD", country: "CHL", number: "F12345678" },
        provider: "Verificadora de Ejemplo SpA",
        hashes: {
          facialAuthenticationHash: expect.stringMatching(/^[0-9A-F]{128}$/),
          policyVersion: countedUnder.scale,
          models: countedUnder.models,
        },
        tokenExpiresAt: expect.stringMatching(/Z$/),
        openingsLeft,
        issuedAt: expect.stringMatching(/Z$/),
      });
    }
  });

  it("states what the liveness rests on, as JSON and as a page", async () => {
    const { transaction, key, token } = await issue({ level: "active-turn" });
    const json = await harness.load(transaction, { token, apiKey: key });
    expect(json.json()).toMatchObject({ passiveLivenessResult: 3, livenessLevel: "active-turn" });
    const headers = { accept: "text/html" };
    const page = await harness.load(transaction, { token, apiKey: key }, { headers });
    expect(page.body).toContain("La cabeza giró como lo pidió un desafío nuevo");
  });

  it.each(["cohort/0123abcd", "other/0123abcd"])(
    "states no counted rate of a comparison under %s, as JSON and as a page",
    async (scale) => {
      const { transaction, key, token } = await issue({ policyVersion: `${countedUnder.scale}+${scale}` });
      const json = await harness.load(transaction, { token, apiKey: key });
      expect(json.json()).toMatchObject({
        facialAuthenticationSimilarity: 0.99214232,
        countedFalseMatchRate: null,
        countedPairs: null,
        countedFalseMatchRateWorstGroup: null,
        countedPairsWorstGroup: null,
      });
      const page = await harness.load(
        transaction,
        { token, apiKey: key },
        { headers: { accept: "text/html" } },
      );
      expect(page.body).toContain("Sin recuento para esta similitud");
    },
  );

  it("answers a page without a script or a resource, with the caller's texts escaped", async () => {
    const { transaction, key, token } = await issue();
    const answer = await harness.load(
      transaction,
      { token, apiKey: key },
      { headers: { accept: "text/html,*/*;q=0.8" } },
    );
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.body).toContain("ANNA MARÍA &lt;b&gt;");
    expect(answer.body).not.toMatch(/<script|<img|<link|<iframe|@import|url\(|ANNA MARÍA <b>/);
    expect(answer.body).not.toContain(key);
    const policy = String(answer.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/style-src 'sha256-/);
    expect(policy).not.toMatch(/script|unsafe|http/);
  });

  it("must not be kept, sniffed, framed or referred from, in any form", async () => {
    const { transaction, key, token } = await issue();
    for (const accept of ["application/json", "text/html", "image/png"]) {
      const { headers } = await harness.load(transaction, { token, apiKey: key }, { headers: { accept } });
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(String(headers["content-security-policy"])).toContain("frame-ancestors 'none'");
    }
  });

  it("names its forms where the caller accepts none, and a PDF is none without a signer", async () => {
    const { transaction, key, token } = await issue();
    for (const accept of ["application/pdf", "image/png"]) {
      const answer = await harness.load(transaction, { token, apiKey: key }, { headers: { accept } });
      expect([answer.statusCode, answer.json().failure]).toEqual([406, "certificate_form_unavailable"]);
      expect(answer.json().facts).toEqual({ available: ["application/json", "text/html"] });
    }
    expect((await harness.load(transaction, { token, apiKey: key })).statusCode).toBe(200);
  });

  it("says that a name is no longer kept after the retention of the validation", async () => {
    const other = await openClearingHarness();
    try {
      const { transaction, scan, key, token } = await issue({}, other);
      await other.store.purgeValidations(other.tenantId, new Date(Date.now() + 60_000));
      const answer = await other.load(transaction, { token, apiKey: key });
      expect(answer.json()).toMatchObject({
        scanReference: scan,
        personIsKept: false,
        person: null,
        document: null,
        documentDecidedAt: null,
        facialAuthenticationResult: 3,
      });
      const page = await other.load(
        transaction,
        { token, apiKey: key },
        { headers: { accept: "text/html" } },
      );
      expect(page.body).toContain("ya no se conservan");
      expect(page.body).not.toContain("ERIKSSON");
    } finally {
      await other.close();
    }
  });

  it("states the evidence of the portrait under which it was issued, also after that retention", async () => {
    const other = await openClearingHarness();
    try {
      const proven = await issue({ portraitEvidence: "ghost" }, other);
      const unstated = await issue({}, other);
      await other.store.purgeValidations(other.tenantId, new Date(Date.now() + 60_000));
      const load = async ({ transaction, key, token }: typeof proven) =>
        await other.load(transaction, { token, apiKey: key });
      expect((await load(proven)).json()).toMatchObject({ personIsKept: false, portraitEvidence: "ghost" });
      expect((await load(unstated)).json().portraitEvidence).toBeNull();
    } finally {
      await other.close();
    }
  });

  it("writes each opening to the evidence, without the token or the name", async () => {
    const tenantId = await harness.newTenant();
    const { transaction, key, token } = await issue({ tenantId });
    await harness.load(transaction, { token, apiKey: key });
    await harness.load(transaction, { token, apiKey: key }, { headers: { accept: "text/html" } });
    const links = await harness.store.listLinks(tenantId, 0);
    const opened = links.filter(({ kind }) => kind === "clearing_certificate_opened");
    expect(opened).toHaveLength(2);
    const text = JSON.stringify(links);
    expect(text).toContain(transaction);
    for (const secret of [token, "ERIKSSON", key]) expect(text).not.toContain(secret);
  });
});

describe("a token", () => {
  it("opens its certificate as often as the deployment allows, and then answers 404", async () => {
    const { transaction, key, token } = await issue();
    const statuses = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await harness.load(transaction, { token, apiKey: key })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 404]);
  });

  it("opens no more often when it is used many times at once", async () => {
    const { transaction, key, token } = await issue();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        harness.load(transaction, { token, apiKey: key }, { remoteAddress: `198.51.100.${n}` }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(9);
  });

  it.each([
    ["application/json", "application/problem+json; charset=utf-8", '"failure":"not_found"'],
    ["text/html,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8", "no abre ningún certificado"],
  ])(
    "that is wrong, used up, expired or foreign answers %s the same 404 to the byte",
    async (accept, type, text) => {
      const other = await openClearingHarness({ settings: { usesMax: 1, tokenMs: 3_600_000 } });
      try {
        const good = await issue({}, other);
        const usedUp = await issue({}, other);
        await other.load(usedUp.transaction, { token: usedUp.token, apiKey: usedUp.key });
        const foreign = await issue({ tenantId: await other.newTenant() }, other);
        const live = await issue({ environment: "live" }, other);
        const load = async (transaction: string, token: string, key = good.key, n = 1) => {
          const { statusCode, headers, body } = await other.load(
            transaction,
            { token, apiKey: key },
            { headers: { "x-request-id": "one", accept }, remoteAddress: `203.0.113.${n}` },
          );
          const { date: _, ...kept } = headers;
          expect([headers["content-type"], body]).toEqual([type, expect.stringContaining(text)]);
          return JSON.stringify([statusCode, kept, body]);
        };
        const answers = [
          await load(good.transaction, "a".repeat(32)),
          await load(good.transaction, `${good.token}a`),
          await load(good.transaction, good.token.toLowerCase()),
          await load(usedUp.transaction, usedUp.token),
          await load(randomUUID(), good.token),
          await load("no-reference", good.token),
          await load(foreign.transaction, foreign.token),
          await load(good.transaction, foreign.token),
          await load(live.transaction, live.token),
          await load(good.transaction, usedUp.token),
        ];
        other.clock.aheadMs = 3_600_001;
        answers.push(await load(good.transaction, good.token, good.key, 2));
        expect(new Set(answers).size).toBe(1);
        expect(answers[0]).toMatch(/^\[404,/);
      } finally {
        await other.close();
      }
    },
  );

  it("is stored as a keyed hash alone, and ends with an erasure of its tenant", async () => {
    const other = await openClearingHarness();
    try {
      const { transaction, key, token } = await issue({}, other);
      const stored = await other.readStored();
      // The search finds what the store holds in the clear.
      expect(stored.includes(transaction)).toBe(true);
      expect(stored.includes(token)).toBe(false);
      await other.erase(other.tenantId);
      other.clock.aheadMs = 5_000;
      expect((await other.load(transaction, { token, apiKey: key })).statusCode).toBe(404);
    } finally {
      await other.close();
    }
  });
});

describe("the key", () => {
  it("may stand in the query or in the header, or in both where they are equal", async () => {
    const { transaction, key, token } = await issue();
    const other = harness.callerOf().key;
    const load = async (apiKey: string | undefined, header: string | undefined) =>
      (
        await harness.load(
          transaction,
          { token, apiKey },
          { headers: { ...(header !== undefined && { "x-api-key": header }) } },
        )
      ).statusCode;
    expect([await load(key, undefined), await load(undefined, key), await load(key, key)]).toEqual([
      200, 200, 200,
    ]);
    expect([
      await load(key, other),
      await load(other, key),
      await load(key, ""),
      await load("", key),
    ]).toEqual([401, 401, 401, 401]);
  });

  it("that is missing, wrong or twice in the query answers the same 401", async () => {
    const { transaction, token, key } = await issue();
    const base = `/services/clearing/${transaction}/certificate?token=${token}`;
    const bodies = [];
    for (const end of ["", "&apiKey=", "&apiKey=wrong", `&apiKey=${key}&apiKey=${key}`]) {
      const { statusCode, body, headers } = await harness.server.app.inject({ url: base + end });
      bodies.push([statusCode, body, headers["www-authenticate"]]);
    }
    for (const one of bodies) {
      expect(one).toEqual([
        401,
        '{"message":"Unauthorized"}',
        'Basic realm="idem", charset="UTF-8", ApiKey realm="idem"',
      ]);
    }
  });

  it("needs the scope of certificates, and opens nothing else of pension clearing with it", async () => {
    const { transaction, token } = await issue();
    const keyOf = (...scopes: Scope[]): string =>
      harness.makeKey({ tenantId: harness.tenantId, environment: "test", scopes });
    for (const scope of ["face", "clearing"] as const) {
      expect((await harness.load(transaction, { token, apiKey: keyOf(scope) })).statusCode).toBe(403);
    }
    const key = keyOf("certificate");
    expect((await harness.load(transaction, { token, apiKey: key })).statusCode).toBe(200);
    const calls = [
      ["POST", `/services/clearing/${transaction}/verify`, { scanReference: transaction }],
      ["POST", "/services/previred", {}],
      ["GET", "/operator/clearing/callbacks", undefined],
    ] as const;
    for (const [method, url, payload] of calls) {
      const headers = { "x-api-key": key };
      const call = { method, url, headers, ...(payload && { payload }) };
      const { statusCode } = await harness.server.app.inject(call);
      expect([url, statusCode]).toEqual([url, 403]);
    }
  });
});

describe("credentials", () => {
  it("are asked for where they are set, as Basic or in the query, and a failed try takes no use", async () => {
    const tenantId = await harness.newTenant();
    await withPassword(tenantId);
    const { transaction, key, token } = await issue({ tenantId });
    const load = async (query: Readonly<Record<string, string>>, authorization?: string) => {
      const { statusCode, body } = await harness.load(
        transaction,
        { token, apiKey: key, ...query },
        { headers: { ...(authorization !== undefined && { authorization }) } },
      );
      return [statusCode, statusCode === 200 ? "" : body];
    };
    const refused = [401, '{"message":"Unauthorized"}'];
    const right = basic("clearing:contraseña larga");
    for (const attempt of [
      load({}),
      load({ usuario: "clearing" }),
      load({ usuario: "clearing", clave: "wrong" }),
      load({ usuario: "wrong", clave: "contraseña larga" }),
      load({}, basic("clearing:wrong")),
      load({}, basic("clearing")),
      load({}, "Bearer abc"),
      load({ usuario: "clearing", clave: "wrong" }, right),
      load({ usuario: "clearing", clave: "contraseña larga" }, "Bearer abc"),
    ]) {
      expect(await attempt).toEqual(refused);
    }
    const query = { usuario: "clearing", clave: "contraseña larga" };
    expect(await load(query)).toEqual([200, ""]);
    expect(await load({}, right)).toEqual([200, ""]);
    expect(await load(query, right)).toEqual([200, ""]);
  });

  it("are checked for a right token alone, so that wrong tokens take no time from a right one", async () => {
    const tenantId = await harness.newTenant();
    await withPassword(tenantId);
    const { transaction, key, token } = await issue({ tenantId });
    const load = async (guess: string, clave: string, remoteAddress: string, to = transaction) =>
      (await harness.load(to, { token: guess, apiKey: key, usuario: "clearing", clave }, { remoteAddress }))
        .statusCode;
    // More at once than passwords are checked at once.
    const wrong = Array.from({ length: 24 }, (_, n) =>
      load("a".repeat(32), n % 2 === 0 ? "wrong" : "contraseña larga", `198.51.100.${n}`, randomUUID()),
    );
    const right = load(token, "contraseña larga", "192.0.2.99");
    expect(await Promise.all(wrong)).toEqual(times(24, 404));
    expect(await right).toBe(200);
    expect(await load(token, "wrong", "192.0.2.99")).toBe(401);
  });

  it("are not asked for in the other environment, nor after their removal", async () => {
    const tenantId = await harness.newTenant();
    await withPassword(tenantId);
    const live = await issue({ tenantId, environment: "live" });
    expect((await harness.load(live.transaction, { token: live.token, apiKey: live.key })).statusCode).toBe(
      200,
    );
    const test = await issue({ tenantId });
    const load = async () =>
      (await harness.load(test.transaction, { token: test.token, apiKey: test.key })).statusCode;
    expect(await load()).toBe(401);
    await harness.store.removeClearingCredentials({ tenantId, environment: "test" }, { evidence: [] });
    expect(await load()).toBe(200);
  });
});

describe("a refusal in a browser", () => {
  const accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
  const open = async (of: Parameters<ClearingHarness["load"]>, remoteAddress = "192.0.2.201") =>
    await harness.load(of[0], of[1], { headers: { accept }, remoteAddress });

  it("is a page in Spanish with the status of the JSON, without a script, a resource or a secret", async () => {
    const { transaction, key, token } = await issue();
    const face = harness.makeKey({ tenantId: harness.tenantId, environment: "test", scopes: ["face"] });
    const refused = [
      [400, "incompleta", await open([transaction, { apiKey: key }])],
      [401, "La clave de la dirección", await open([transaction, { token, apiKey: "wrong" }])],
      [401, "La clave de la dirección", await open([transaction, { token }])],
      [403, "no abre certificados", await open([transaction, { token, apiKey: face }])],
      [404, "Pida una nueva", await open([transaction, { token: "a".repeat(32), apiKey: key }])],
    ] as const;
    for (const [status, text, { statusCode, headers, body }] of refused) {
      expect([statusCode, headers["content-type"]]).toEqual([status, "text/html; charset=utf-8"]);
      expect(body).toContain(text);
      expect(body).not.toMatch(/<script|<img|<link|url\(/);
      for (const secret of [token, key, transaction]) expect(body).not.toContain(secret);
      expect(headers["cache-control"]).toBe("no-store");
      expect(String(headers["content-security-policy"])).toMatch(/default-src 'none'.*style-src 'sha256-/);
      expect(headers["www-authenticate"] !== undefined).toBe(status === 401);
    }
  });

  it("is a page for credentials and for too many guesses", async () => {
    const tenantId = await harness.newTenant();
    await withPassword(tenantId);
    const { transaction, key, token } = await issue({ tenantId });
    const asked = await open([transaction, { token, apiKey: key }], "192.0.2.202");
    expect([asked.statusCode, asked.body]).toEqual([401, expect.stringContaining("la contraseña")]);
    let last = asked;
    for (let n = 0; n < 21; n++) last = await open([transaction, { token, apiKey: key }], "192.0.2.202");
    expect([last.statusCode, last.body]).toEqual([429, expect.stringContaining("Demasiados intentos")]);
    expect(Number(last.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("guesses", () => {
  it("of a token are answered 404 up to the budget of their address and 429 above it, and a right one is served", async () => {
    const other = await openClearingHarness();
    try {
      const { transaction, key, token } = await issue({}, other);
      stopClock(other);
      const load = async (guess: string, remoteAddress: string) =>
        (await other.load(transaction, { token: guess, apiKey: key }, { remoteAddress })).statusCode;
      const statuses = [];
      for (let n = 0; n < 25; n += 1) statuses.push(await load("a".repeat(32), "192.0.2.77"));
      expect(statuses).toEqual([...times(20, 404), ...times(5, 429)]);
      expect(await load("a".repeat(32), "192.0.2.78")).toBe(404);
      expect(await load(token, "192.0.2.77")).toBe(200);
      expect(await load(token, "192.0.2.78")).toBe(200);
    } finally {
      await other.close();
    }
  });

  it.each([
    ["one address", 20, () => "192.0.2.66"],
    ["an address each", 30, (n: number) => `2001:db8:${n + 1}::1`],
  ])("without the right token, from %s, shut no certificate for others", async (_, answered, addressOf) => {
    const other = await openClearingHarness();
    try {
      const tenantId = await other.newTenant();
      await withPassword(tenantId, other);
      const { transaction, key, token } = await issue({ tenantId }, other);
      stopClock(other);
      const load = async (sent: string, clave: string, remoteAddress: string) => {
        const fields = { token: sent, apiKey: key, usuario: "clearing", clave };
        return (await other.load(transaction, fields, { remoteAddress })).statusCode;
      };
      const wrong = [];
      for (let n = 0; n < 30; n += 1) {
        const clave = n % 2 === 0 ? "guess" : "contraseña larga";
        wrong.push(await load("b".repeat(32), clave, addressOf(n)));
      }
      expect(wrong).toEqual([...times(answered, 404), ...times(30 - answered, 429)]);
      expect(await load(token, "contraseña larga", "192.0.2.67")).toBe(200);
      expect(await load(token, "contraseña larga", addressOf(0))).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("of a password wait before it is checked: the right one waits too, and then opens and takes nothing", async () => {
    const other = await openClearingHarness();
    try {
      const tenantId = await other.newTenant();
      await withPassword(tenantId, other);
      const { transaction, key, token } = await issue({ tenantId }, other);
      stopClock(other);
      const load = async (clave: string | undefined, remoteAddress = "192.0.2.90") => {
        const fields = { token, apiKey: key, usuario: "clearing", ...(clave !== undefined && { clave }) };
        return await other.load(transaction, fields, { remoteAddress });
      };
      const statuses = [];
      for (let n = 0; n < 19; n += 1) statuses.push((await load(undefined)).statusCode);
      // The last guess but one is a right one, and is given back.
      statuses.push((await load("contraseña larga")).statusCode, (await load("wrong")).statusCode);
      expect(statuses).toEqual([...times(19, 401), 200, 401]);
      const right = await load("contraseña larga");
      expect([right.statusCode, right.headers["retry-after"]]).toEqual([429, "5"]);
      // Of the transaction too: another address waits as well.
      expect((await load("contraseña larga", "192.0.2.91")).statusCode).toBe(429);
      // What the transaction refused took nothing of that address.
      const second = await issue({ tenantId }, other);
      const fields = { token: second.token, apiKey: second.key, usuario: "clearing" };
      const opened = [];
      for (let n = 0; n < 21; n += 1)
        opened.push(
          (await other.load(second.transaction, fields, { remoteAddress: "192.0.2.91" })).statusCode,
        );
      expect(opened).toEqual([...times(20, 401), 429]);
      stopClock(other, 5_000);
      expect((await load("contraseña larga")).statusCode).toBe(200);
      // It has given its guess back.
      expect((await load("guess")).statusCode).toBe(401);
      expect((await load("contraseña larga")).statusCode).toBe(429);
    } finally {
      await other.close();
    }
  });

  it("of a password are counted for an address over all transactions", async () => {
    const other = await openClearingHarness();
    try {
      const tenantId = await other.newTenant();
      await withPassword(tenantId, other);
      stopClock(other);
      const load = async (of: Awaited<ReturnType<typeof issue>>, clave: string, remoteAddress: string) => {
        const fields = { token: of.token, apiKey: of.key, usuario: "clearing", ...(clave && { clave }) };
        return (await other.load(of.transaction, fields, { remoteAddress })).statusCode;
      };
      const [one, two, three] = [
        await issue({ tenantId }, other),
        await issue({ tenantId }, other),
        await issue({ tenantId }, other),
      ];
      for (const of of [one, two])
        for (let n = 0; n < 10; n += 1) expect(await load(of, "", "192.0.2.92")).toBe(401);
      expect(await load(three, "contraseña larga", "192.0.2.92")).toBe(429);
      for (const of of [one, two, three]) expect(await load(of, "contraseña larga", "192.0.2.93")).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("are none where no password is set: as many openings at once as a token has uses", async () => {
    const other = await openClearingHarness({ settings: { usesMax: 30 } });
    try {
      const { transaction, key, token } = await issue({}, other);
      const all = Array.from({ length: 30 }, () => other.load(transaction, { token, apiKey: key }));
      expect((await Promise.all(all)).map(({ statusCode }) => statusCode)).toEqual(times(30, 200));
    } finally {
      await other.close();
    }
  });

  it("refused by the queue of passwords answer 503 with Retry-After, and leave places to other tenants", async () => {
    // Each check takes as long as in a service, so that the others wait for it.
    const passwords = makePasswords();
    const at = await openClearingHarness({ isPassword: passwords.isPassword });
    try {
      const [busy, quiet] = [await at.newTenant(), await at.newTenant()];
      const passwordHash = passwords.hash("contraseña larga");
      for (const tenantId of [busy, quiet]) await withPassword(tenantId, at, passwordHash);
      const all: Awaited<ReturnType<typeof issue>>[] = [];
      for (let n = 0; n < 10; n += 1) all.push(await issue({ tenantId: busy }, at));
      const one = await issue({ tenantId: quiet }, at);
      const load = ({ transaction, token, key }: typeof one, n: number) => {
        const fields = { token, apiKey: key, usuario: "clearing", clave: "contraseña larga" };
        return at.load(transaction, fields, { remoteAddress: `203.0.113.${100 + n}` });
      };
      const callers = all.map(load);
      const other = load(one, 99);
      const answers = await Promise.all(callers);
      const refused = answers.filter(({ statusCode }) => statusCode === 503);
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(checksOfOwnerMax);
      expect(refused).toHaveLength(10 - checksOfOwnerMax);
      for (const { headers } of refused) expect(headers["retry-after"]).toBe("1");
      expect((await other).statusCode).toBe(200);
    } finally {
      await at.close();
    }
  });
});

describe("the log", () => {
  it("holds no token, key, user or password of a query", async () => {
    const { transaction, key, token } = await issue();
    const query = { token, apiKey: key, usuario: "the-user", clave: "the-password" };
    await harness.load(transaction, query);
    await harness.load(transaction, { ...query, token: `${token}x` });
    await harness.load(transaction, { ...query, apiKey: `${key}x` });
    await harness.load(transaction, query, { headers: { authorization: basic("the-user:the-password") } });
    const lines = harness.lines.join("\n");
    expect(lines).toContain("clearingCertificate");
    for (const secret of [token, key, "the-user", "the-password", "ERIKSSON", transaction]) {
      expect(lines).not.toContain(secret);
    }
  });
});
