// Needs an S3 server: eval "$(test/services/start-s3.sh)".
import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { describeBlobs } from "#support/storage/blobs-suite";
import { serviceVariable } from "../../../test/services/environment.ts";
import { makeS3Objects } from "./s3-objects.ts";

const variable = (name: string): string => serviceVariable(`IDEM_TEST_S3_${name}`, "start-s3.sh");

const address = {
  endpoint: variable("ENDPOINT"),
  region: variable("REGION"),
  bucket: `${variable("BUCKET")}-${Date.now()}`,
  pathStyle: true,
  accessKey: variable("ACCESS_KEY"),
  secretKey: variable("SECRET_KEY"),
};

const client = new S3Client({
  endpoint: address.endpoint,
  region: address.region,
  forcePathStyle: true,
  credentials: { accessKeyId: address.accessKey, secretAccessKey: address.secretKey },
});
await client.send(new CreateBucketCommand({ Bucket: address.bucket }));

describeBlobs("blobs in S3", () => makeS3Objects(address));
describeBlobs("blobs in S3 under a prefix", () => makeS3Objects({ ...address, prefix: "idem/one" }));

it("separates deployments that share a bucket", async () => {
  const prefixes = [undefined, "two", "two/three", "twofold"];
  const places = await Promise.all(
    prefixes.map((prefix) => makeS3Objects({ ...address, ...(prefix === undefined ? {} : { prefix }) })),
  );
  const name = { tenantId: randomUUID(), id: randomUUID() };
  for (const [own, objects] of places.entries()) {
    await objects.write(name, new Uint8Array([own]));
  }
  for (const [own, objects] of places.entries()) {
    const listed = await Array.fromAsync(objects.list());
    expect(listed.filter(({ tenantId }) => tenantId === name.tenantId)).toMatchObject([name]);
    expect(await objects.read(name)).toStrictEqual(new Uint8Array([own]));
    await objects.remove(name);
    expect(await objects.read(name)).toBeUndefined();
  }
});
