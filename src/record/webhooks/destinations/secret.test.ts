import { describe, expect, it } from "vitest";
import { webhookKeyOf } from "#record/events/standard-webhooks";
import { formerEnd, formerSecretsMax, rotate, secretOf, secretsAt } from "./secret.ts";

const now = new Date(1_790_000_000_000);
const after = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
const first = { secret: "first", formerSecrets: [] };

describe("the secrets of a destination", () => {
  it("are keys of Standard Webhooks", () => {
    const random = Uint8Array.from({ length: 32 }, (_, n) => n);
    expect(Buffer.from(webhookKeyOf(secretOf(random)))).toEqual(Buffer.from(random));
  });

  it("sign together after a rotation, the current one first, until the time of the former ends", () => {
    const rotated = rotate(first, "second", now, after(24))!;
    expect(secretsAt(rotated, now)).toEqual(["second", "first"]);
    expect(secretsAt(rotated, new Date(after(24).getTime() - 1))).toEqual(["second", "first"]);
    expect(secretsAt(rotated, after(24))).toEqual(["second"]);
    const again = rotate(rotated, "third", after(1), after(2))!;
    expect(secretsAt(again, after(1))).toEqual(["third", "second", "first"]);
    expect(secretsAt(again, after(3))).toEqual(["third", "first"]);
    expect(formerEnd(again)).toEqual(after(24));
  });

  it("are one at once where the former ends now", () => {
    const rotated = rotate(rotate(first, "second", now, after(24))!, "third", now, now)!;
    expect(rotated).toEqual({ secret: "third", formerSecrets: [] });
    expect(formerEnd(rotated)).toBeUndefined();
  });

  it("are no more than signatures of a message may be, and those that ended do not count", () => {
    let secrets: ReturnType<typeof rotate> = first;
    for (let n = 0; n < formerSecretsMax; n += 1) secrets = rotate(secrets!, `secret ${n}`, now, after(24));
    expect(secretsAt(secrets!, now)).toHaveLength(formerSecretsMax + 1);
    expect(rotate(secrets!, "one more", now, after(24))).toBeUndefined();
    expect(rotate(secrets!, "alone", now, now)?.secret).toBe("alone");
    expect(rotate(secrets!, "later", after(25), after(26))?.formerSecrets).toHaveLength(1);
  });
});
