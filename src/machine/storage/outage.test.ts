import { describe, expect, it } from "vitest";
import { isOutage, messageOf } from "./outage.ts";

const coded = (code: string): Error => Object.assign(new Error("no"), { code });

describe("an outage", () => {
  it.each([
    "SQLITE_FULL",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_BUSY",
    "SQLITE_READONLY_DBMOVED",
    "ENOSPC",
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "E2BIG",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "CERT_HAS_EXPIRED",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "08006",
    "53300",
    "57014",
    "57P01",
    "58030",
    "25006",
    "25P03",
    "25P04",
    "28P01",
    "28000",
    "3D000",
  ])("is %s", (code) => {
    expect(isOutage(coded(code))).toBe(true);
  });

  it.each(["23505", "23503", "42P01", "22P02", "SQLITE_CONSTRAINT_UNIQUE", "ERR_INVALID_ARG_TYPE", ""])(
    "is not %s",
    (code) => {
      expect(isOutage(coded(code))).toBe(false);
    },
  );

  it.each([
    "Connection terminated unexpectedly",
    "Query read timeout",
    "timeout exceeded when trying to connect",
    "Client has encountered a connection error and is not queryable",
    "Client was closed and is not queryable",
    "The server does not support SSL connections",
  ])("is what the driver calls: %s", (message) => {
    expect(isOutage(new Error(message))).toBe(true);
  });

  it("is recognised among several errors, and never mistaken for a bug", () => {
    expect(isOutage(new AggregateError([coded("ECONNREFUSED")]))).toBe(true);
    expect([new TypeError("x is undefined"), "ENOSPC", undefined].map(isOutage)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

it("an error always has a text", () => {
  const refused = ["::1", "127.0.0.1"].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
  expect(messageOf(new AggregateError(refused))).toBe(
    "connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432",
  );
  expect(messageOf(Object.assign(new Error(""), { code: "EPIPE" }))).toBe("EPIPE");
  expect(messageOf(new TypeError(""))).toBe("TypeError");
  expect(messageOf("text")).toBe("text");
});
