import { describe, expect, it } from "vitest";
import { judgeStatus, writeBody } from "./write-callback.ts";

const expiresAt = "2026-11-26T10:00:00.000Z";
const end = new Date(expiresAt).getTime();

describe("the status of a callback", () => {
  it("is succeeded as long as the hash opens the certificate, and failed from its end on", () => {
    expect(judgeStatus({ expiresAt }, new Date(end - 1))).toBe("succeeded");
    expect(judgeStatus({ expiresAt }, new Date(end))).toBe("failed");
  });

  it("is written with its number and the second of the attempt", () => {
    expect(writeBody("id", "failed", new Date(1_795_253_400_999))).toEqual({
      timestamp: 1_795_253_400,
      transactionId: "id",
      statusCode: 410,
      status: "failed",
    });
  });
});
