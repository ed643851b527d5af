import { join } from "node:path";
import type { Config } from "#machine/config/config";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import type { Objects } from "#machine/storage/objects";

/** Opens the stored objects that the settings name: a bucket, or the folder of the data directory. */
export const openObjects = async ({ s3, dataDirectory }: Config): Promise<Objects> => {
  if (s3 === undefined) {
    return makeDiskObjects(join(dataDirectory, "blobs"));
  }
  // Loaded only with S3: the client takes a tenth of the start time.
  const { makeS3Objects } = await import("#machine/storage/s3-objects");
  return await makeS3Objects({
    bucket: s3.bucket,
    region: s3.region,
    // Servers other than AWS rarely resolve bucket names as host names.
    pathStyle: s3.endpoint !== undefined,
    ...(s3.prefix === undefined ? {} : { prefix: s3.prefix }),
    ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
    ...(s3.accessKeyId === undefined ? {} : { accessKey: s3.accessKeyId }),
    ...(s3.secretAccessKey === undefined ? {} : { secretKey: s3.secretAccessKey }),
  });
};
