import { describe, expect, it } from "vitest";
import { makePasswords } from "./password.ts";
import { readCredentials } from "./read-credentials.ts";
import { judgeNewCredentials } from "./set-credentials.ts";

const { hash: hashPassword, isPassword } = makePasswords();

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("the hash of a password", () => {
  it("is another one each time, and only its password is accepted", async () => {
    const [one, other] = [await hashPassword("a long password"), await hashPassword("a long password")];
    expect(one).not.toBe(other);
    expect(one).not.toContain("password");
    expect(await isPassword("a long password", one)).toBe(true);
    expect(await isPassword("a long passworD", one)).toBe(false);
    expect(await isPassword("", one)).toBe(false);
  });

  it("is the same for both Unicode forms of a letter", async () => {
    expect(await isPassword("contrasen\u0303a", await hashPassword("contrase\u00f1a"))).toBe(true);
  });

  it("of another form is an error, not a refusal", async () => {
    await expect(isPassword("a", "md5:a:b")).rejects.toThrow("another form");
  });
});

describe("sent credentials", () => {
  it.each([
    [basic("user:pass"), {}, { user: "user", password: "pass" }],
    [basic("user:pa:ss"), {}, { user: "user", password: "pa:ss" }],
    [basic("usuario:contraseña"), {}, { user: "usuario", password: "contraseña" }],
    ["basic dTpw", {}, { user: "u", password: "p" }],
    [undefined, { usuario: "u", clave: "p" }, { user: "u", password: "p" }],
    [undefined, { clave: "p" }, { user: "", password: "p" }],
    [basic("u:p"), { usuario: "u", clave: "p" }, { user: "u", password: "p" }],
    [basic("u:p"), { usuario: "u", clave: "q" }, undefined],
    ["Bearer dTpw", { usuario: "u", clave: "p" }, undefined],
    [basic("user"), {}, undefined],
    ["Basic !", {}, undefined],
    [`Basic ${"a".repeat(1201)}`, {}, undefined],
    [undefined, {}, undefined],
  ])("of header %s and query %o are %o", (header, query, credentials) => {
    expect(readCredentials(header, query)).toEqual(credentials);
  });
});

describe("new credentials", () => {
  it("have a user name without a colon, and a password of 12 to 200 characters", () => {
    const good = "a".repeat(12);
    expect(judgeNewCredentials("user", good)).toEqual([]);
    expect(judgeNewCredentials("u".repeat(200), "a".repeat(200))).toEqual([]);
    for (const user of ["", "a:b", "a\n", "u".repeat(201)])
      expect(judgeNewCredentials(user, good)).toHaveLength(1);
    for (const password of ["a".repeat(11), "a".repeat(201), `${good}\n`]) {
      expect(judgeNewCredentials("user", password)).toHaveLength(1);
    }
  });
});
