import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { Failure } from "#contract/failure";
import {
  checkObjectLength,
  checkObjectName,
  isObjectName,
  type ObjectName,
  type Objects,
} from "./objects.ts";
import { unavailable } from "./outage.ts";

/**
 * `pathStyle` is for servers without a host name per bucket. Without keys the SDK's own provider chain
 * supplies them.
 */
export type S3Address = {
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Path of all objects of this deployment, without a slash at either end. Absent: the whole bucket. */
  readonly prefix?: string;
  readonly pathStyle: boolean;
  readonly accessKey?: string;
  readonly secretKey?: string;
};

/**
 * Objects in an S3 bucket, under `[<prefix>/]<tenant>/<id>`; objects under other paths are neither listed nor
 * changed. The SDK is loaded here, so only deployments with S3 pay for it.
 */
export const makeS3Objects = async (address: S3Address): Promise<Objects> => {
  const sdk = await import("@aws-sdk/client-s3");
  const client: S3Client = new sdk.S3Client(clientOptions(address));
  const { bucket: Bucket, prefix } = address;
  const Prefix = prefix === undefined ? "" : `${prefix}/`;
  /** Checks the name before any request to the bucket: an invalid name is no outage. */
  const place = (name: ObjectName) => ({ Bucket, Key: `${Prefix}${keyOf(name)}` });
  /**
   * Handles a missing object. On removal Amazon answers 204 and other servers NoSuchKey; on a write NoSuchKey
   * is a refusal.
   */
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
        const { Body, ContentLength = 0 } = await client.send(new sdk.GetObjectCommand(object));
        try {
          checkObjectLength(ContentLength);
        } catch (error) {
          if (Body instanceof Readable) Body.destroy();
          throw error;
        }
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

/** A caller cannot repair a refusal or silence of the bucket: for the caller, all of it is an outage. */
const ask = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? error : unavailable(error);
  }
};

type Listed = { readonly Key?: string | undefined; readonly LastModified?: Date | undefined };

/** The objects of this deployment among those that a bucket lists. */
const namesIn = function* (contents: readonly Listed[], prefix: string) {
  for (const { Key = "", LastModified } of contents) {
    const [tenantId = "", id = "", ...rest] = Key.slice(prefix.length).split("/");
    if (rest.length === 0 && LastModified !== undefined && isObjectName({ tenantId, id })) {
      yield { tenantId, id, writtenAt: LastModified };
    }
  }
};

/** A working bucket answers its handshake in milliseconds. */
const connectMsMax = 2_000;
/** Longest time without a byte. */
const silentMsMax = 8_000;

const clientOptions = ({ endpoint, region, pathStyle, accessKey, secretKey }: S3Address) => ({
  region,
  forcePathStyle: pathStyle,
  // Only if the server asks: most servers other than Amazon's do not support the newer checksum trailers. The
  // tag of the sealed bytes detects any change.
  requestChecksumCalculation: "WHEN_REQUIRED" as const,
  responseChecksumValidation: "WHEN_REQUIRED" as const,
  // The SDK itself waits without limit. A call has its own limit, but the worker and the sweeper have none.
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
