import type { S3Client } from "@aws-sdk/client-s3";
import { checkObjectName, isObjectName, type ObjectName, type Objects } from "./objects.ts";
import { unavailable } from "./outage.ts";

/** `pathStyle` for servers that do not give every bucket a host name. Without keys the SDK's own chain finds them. */
export type S3Address = {
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Path under which this deployment keeps everything, without a slash at either end. Absent: the whole bucket. */
  readonly prefix?: string;
  readonly pathStyle: boolean;
  readonly accessKey?: string;
  readonly secretKey?: string;
};

/**
 * Objects in an S3 bucket, under `[<prefix>/]<tenant>/<id>`; what lies elsewhere is neither listed nor touched. The SDK
 * is loaded here, so that only deployments with S3 pay for it.
 */
export const makeS3Objects = async (address: S3Address): Promise<Objects> => {
  const sdk = await import("@aws-sdk/client-s3");
  const client: S3Client = new sdk.S3Client(clientOptions(address));
  const { bucket: Bucket, prefix } = address;
  const Prefix = prefix === undefined ? "" : `${prefix}/`;
  /** Asked before the bucket is: a name that is none is no outage. */
  const place = (name: ObjectName) => ({ Bucket, Key: `${Prefix}${keyOf(name)}` });
  /** Of a missing object. To remove one Amazon answers 204 and other servers this; to a write it is a refusal. */
  const orMissing = async <Answer>(work: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw error;
    }
  };
  return {
    write: async (name, bytes) => {
      const object = { ...place(name), Body: bytes, ContentLength: bytes.length };
      await ask(() => client.send(new sdk.PutObjectCommand(object)));
    },
    read: async (name) => {
      const object = place(name);
      const read = async () => {
        const { Body } = await client.send(new sdk.GetObjectCommand(object));
        return await Body?.transformToByteArray();
      };
      return await ask(() => orMissing(read));
    },
    remove: async (name) => {
      const object = place(name);
      await ask(() => orMissing(() => client.send(new sdk.DeleteObjectCommand(object))));
    },
    list: async function* () {
      const pages = sdk.paginateListObjectsV2({ client }, { Bucket, Prefix });
      for (;;) {
        const page = await ask(() => pages.next());
        if (page.done === true) return;
        yield* namesIn(page.value.Contents ?? [], Prefix);
      }
    },
    ping: async () => {
      await ask(() => client.send(new sdk.HeadBucketCommand({ Bucket })));
    },
  };
};

/** What a bucket refuses, or does not answer, no caller can mend: all of it is an outage to him. */
const ask = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
};

type Listed = { readonly Key?: string | undefined; readonly LastModified?: Date | undefined };

/** The objects of this deployment among what a bucket lists. */
const namesIn = function* (contents: readonly Listed[], prefix: string) {
  for (const { Key = "", LastModified } of contents) {
    const [tenantId = "", id = "", ...rest] = Key.slice(prefix.length).split("/");
    if (rest.length === 0 && LastModified !== undefined && isObjectName({ tenantId, id })) {
      yield { tenantId, id, writtenAt: LastModified };
    }
  }
};

/** A bucket that is there answers its handshake in milliseconds. */
const connectMsMax = 2_000;
/** Longest time without a byte. */
const silentMsMax = 8_000;

const clientOptions = ({ endpoint, region, pathStyle, accessKey, secretKey }: S3Address) => ({
  region,
  forcePathStyle: pathStyle,
  // Only where the server asks: most that are not Amazon's do not know the newer checksum trailers. The tag of the
  // sealed bytes tells of any change.
  requestChecksumCalculation: "WHEN_REQUIRED" as const,
  responseChecksumValidation: "WHEN_REQUIRED" as const,
  // The SDK itself waits without end. A call has its own limit, but the worker and the sweeper have none.
  requestHandler: { connectionTimeout: connectMsMax, socketTimeout: silentMsMax },
  maxAttempts: 2,
  ...(endpoint === undefined ? {} : { endpoint }),
  ...(accessKey === undefined || secretKey === undefined
    ? {}
    : { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey } }),
});

const keyOf = (name: ObjectName): string => {
  const { tenantId, id } = checkObjectName(name);
  return `${tenantId}/${id}`;
};
