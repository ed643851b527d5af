import { formerHoursDefault } from "#record/webhooks/destinations/secret";
import { knownTopics, wildcards } from "#record/webhooks/destinations/topics";
import type { Command } from "../command.ts";

export const webhooks: Command = {
  topics: {
    deliveries: async () => (await import("./deliveries.command.ts")).deliveries,
    replay: async () => (await import("./deliveries.command.ts")).replay,
  },
  help: `Usage: idem webhooks add --name TEXT --url URL --topics A,B [settings] [--live] [--tenant NAME] [< FILE]
       idem webhooks list [--live] [--tenant NAME]
       idem webhooks show ID
       idem webhooks set ID [settings] [< FILE]
       idem webhooks pause | resume | remove ID
       idem webhooks enable ID [--deliver-held]
       idem webhooks rotate-secret ID [--former-hours N]
       idem webhooks handshake ID
       idem webhooks deliveries   deliveries and the log of their attempts; it has its own --help
       idem webhooks replay       send deliveries again, or those that are held; it has its own --help

add            creates a destination, and prints its signing secret once on stdout
list, show     print destinations, never a secret. A forged one was added or changed past the service, and receives nothing: remove it
set            changes the settings that are named; the others stay
pause, resume  hold the deliveries, and deliver what was held
enable         ends the disabling after failures; --deliver-held sends what was held meanwhile
remove         ends the destination with its secrets and the deliveries that wait
rotate-secret  prints a new signing secret once; the former one signs too for --former-hours (default ${formerHoursDefault}, 0 to 168)
handshake      asks the receiver for its consent (CloudEvents HTTP web hooks)

Settings:
  --name             a name for people
  --url              https; plain http only to loopback addresses that IDEM_EGRESS_ALLOW names
  --topics           comma-separated, of: ${knownTopics.slice(0, 3).join(", ")},
                     ${knownTopics.slice(3).join(", ")};
                     or "${wildcards.join('" or "')}"
  --order on|off     whether events of one operation are delivered in sequence
  --header N=V       a further header; repeat it for more. All of them replace the former ones. --no-headers: none
  --api-key-header   header of an API key. The key is read from stdin
  --token-url        OAuth 2.0 client credentials, with --client-id, --scope and --credentials-in header|body. The client
                     secret is read from stdin
  --credential-from  environment variable that holds the key or client secret, in place of stdin
  --no-auth          no API key and no OAuth: the signature alone
  --handshake on|off whether the receiver must consent before the first event
  --timeout          seconds of an attempt, 1 to 30
  --retry            seconds before each attempt, comma-separated; default: those of the deployment
  --concurrent       deliveries in flight, 1 to 64; 0: as many as the deployment allows

  --live             the live environment; otherwise the test environment
  --tenant           name of the tenant; needed when there are several

All of it works while the service runs, as the operator API (/operator/destinations) does.`,
  run: async (args) => (await import("./webhooks.ts")).runWebhooks(args),
};
