import { describe, expect, it } from "vitest";
import { isHandedLink, withoutRefusedLinks } from "./handed-link.ts";

describe("a link of a registry that callers get", () => {
  it.each([
    "https://registry.example/photo/1?size=2#a",
    "http://fotos.registrocivil.gob.ec/1.jpg",
    "https://registry.example:8443/1",
    "https://8.8.8.8/1",
    "https://[2a00:1450:4001:81b::200e]/1",
    "https://internal.example/",
    "https://local.example/@a",
  ])("is %j", (link) => {
    expect(isHandedLink(link)).toBe(true);
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:image/png;base64,AAAA",
    "file:///etc/passwd",
    "blob:https://registry.example/1",
    "ftp://registry.example/1",
    "//registry.example/1",
    "https:registry.example/1",
    "photo.jpg",
    "https://registry.example@evil.example/",
    "https://@evil.example/",
    "https:\\\\evil.example/",
    "https://registry.example/ a",
    "https://registry.example/\u202Egpj",
    "http://localhost/1",
    "http://localhost./1",
    "http://LOCALHOST:8080/1",
    "http://a.localhost/1",
    "http://printer.local/1",
    "http://intranet/1",
    "http://photos.corp/1",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://169.254.169.254/latest/meta-data",
    "http://100.100.100.200/latest/meta-data",
    "http://[fd00:ec2::254]/latest",
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://10.1.2.3/",
    "http://%31%30.1.2.3/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[2002:a00:1::]/",
    "http://[fe80::1]/",
  ])("is not %j", (link) => {
    expect(isHandedLink(link)).toBe(false);
  });

  it("is left out of the person where it may not be handed on, and nothing else is", () => {
    const fields = { firstName: "ANA", photoUrl: "https://registry.example/1", signatureUrl: "data:,x" };
    const person = { fields, photo: new Uint8Array([1]) };
    const { signatureUrl: _, ...kept } = fields;
    expect(withoutRefusedLinks(person)).toEqual({ ...person, fields: kept });
    expect(withoutRefusedLinks({ fields: kept })).toEqual({ fields: kept });
    expect(withoutRefusedLinks({ fields: { photoUrl: "http://10.0.0.1/" } })).toEqual({ fields: {} });
  });
});
