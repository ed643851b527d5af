import type { S3Client } from "@aws-sdk/client-s3";
import { checkObjectName, isObjectName, type ObjectName, type Objects } from "./objects.ts";

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
  const place = (name: ObjectName) => ({ Bucket, Key: `${Prefix}${keyOf(name)}` });
  return {
    write: async (name, bytes) => {
      await client.send(
        new sdk.PutObjectCommand({ ...place(name), Body: bytes, ContentLength: bytes.length }),
      );
    },
    read: async (name) => {
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand(place(name)));
        return await Body?.transformToByteArray();
      } catch (error) {
        return error instanceof sdk.NoSuchKey ? undefined : await Promise.reject(error);
      }
    },
    remove: async (name) => {
      try {
        await client.send(new sdk.DeleteObjectCommand(place(name)));
      } catch (error) {
        // Amazon answers 204 for what is not there, other servers 404.
        await (error instanceof sdk.NoSuchKey ? undefined : Promise.reject(error));
      }
    },
    list: async function* () {
      for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix })) {
        for (const { Key = "", LastModified } of page.Contents ?? []) {
          const [tenantId = "", id = "", ...rest] = Key.slice(Prefix.length).split("/");
          if (rest.length === 0 && LastModified !== undefined && isObjectName({ tenantId, id })) {
            yield { tenantId, id, writtenAt: LastModified };
          }
        }
      }
    },
  };
};

const clientOptions = ({ endpoint, region, pathStyle, accessKey, secretKey }: S3Address) => ({
  region,
  forcePathStyle: pathStyle,
  // Only where the server asks: most that are not Amazon's do not know the newer checksum trailers. The tag of the
  // sealed bytes tells of any change.
  requestChecksumCalculation: "WHEN_REQUIRED" as const,
  responseChecksumValidation: "WHEN_REQUIRED" as const,
  ...(endpoint === undefined ? {} : { endpoint }),
  ...(accessKey === undefined || secretKey === undefined
    ? {}
    : { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey } }),
});

const keyOf = (name: ObjectName): string => {
  const { tenantId, id } = checkObjectName(name);
  return `${tenantId}/${id}`;
};
