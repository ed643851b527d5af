// Needs an S3 server: eval "$(test/services/start-s3.sh)".
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { serviceVariable } from "../../test/services/environment.ts";
import { describeBlobs } from "./blobs-suite.ts";
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

describeBlobs("blobs in S3", async () => {
  const client = new S3Client({
    endpoint: address.endpoint,
    region: address.region,
    forcePathStyle: true,
    credentials: { accessKeyId: address.accessKey, secretAccessKey: address.secretKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: address.bucket }));
  return await makeS3Objects(address);
});
