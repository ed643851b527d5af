import type { Failure } from "#contract/failure";
import type { cloudEventContentType, PublishedEvent } from "#events/cloud-event";
import type { Keyring } from "#storage/blobs";
import type { LinkToAsset } from "#tracking/assets/link";
import type { EventData } from "#tracking/sealed-event";
import type { AssetReference } from "#transactions/operation-step";
import type { Destination } from "../destinations/destination.ts";
import type { Send, SendResult } from "../send/send.ts";
