import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { writeCurl } from "./curl.ts";

/** What a shell sends in the place of curl: the body of its standard input. */
const bodyInShell = (command: string, before = ""): unknown => {
  const script = `curl() { cat; }\n${before}\n${command}`;
  return JSON.parse(execFileSync("bash", ["-c", script], { encoding: "utf8" }));
};

describe("the command of a call", () => {
  it("sends the body unchanged, whatever characters a shell reads", () => {
    const body = { reason: "a $HOME `id` \\ \"quoted\" 'too' $(id)\nñ", tracking: { operationId: "o-1" } };
    const { command, files } = writeCurl({ method: "POST", path: "/a/b", body }, "https://idem.example");
    expect(command).toMatch(/^curl -s 'https:\/\/idem\.example\/a\/b' -H "x-api-key: \$KEY"/);
    expect([bodyInShell(command), files]).toEqual([body, []]);
  });

  it("reads images and long tokens from files, of the same bytes", () => {
    const image = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900, 7)]).toString("base64");
    const body = { front: image, bestImageToken: "T".repeat(500), method: "3" };
    const { command, files } = writeCurl({ method: "POST", path: "/a", body }, "");
    expect(files.map(({ name }) => name)).toEqual(["front.jpg", "bestImageToken.txt"]);
    expect(command.length).toBeLessThan(400);
    const folder = execFileSync("mktemp", ["-d"], { encoding: "utf8" }).trim();
    const write = `cd ${folder}; echo ${image} | base64 -d > front.jpg; printf %s ${"T".repeat(500)} > bestImageToken.txt`;
    expect(bodyInShell(command, write)).toEqual(body);
    execFileSync("rm", ["-r", folder]);
  });

  it("of a GET has no body", () => {
    const { command } = writeCurl({ method: "GET", path: "/a" }, "http://127.0.0.1:8080");
    expect(command).toBe(`curl -s 'http://127.0.0.1:8080/a' -H "x-api-key: $KEY"`);
  });
});
