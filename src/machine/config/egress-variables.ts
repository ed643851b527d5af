import { secret, text } from "./variable-kinds.ts";

/** Variables of outgoing calls. */
export const egressVariables = {
  IDEM_EGRESS_ALLOW: text(
    "Non-public addresses that calls of this service may reach, such as a mirror of models; plain http only to loopback addresses in the list. Absent: only public addresses over https.",
    "IP addresses or ranges such as 10.0.0.0/8, comma-separated",
  ),
  IDEM_TEST_RECEIVERS: text(
    "Hosts that events, callbacks and token calls of test keys may reach, beside the mailbox. Absent: every host that calls of this service may reach.",
    "host names or IP addresses, comma-separated",
  ),
  IDEM_EGRESS_PROXY: secret(
    "HTTP proxy for outgoing calls of this service. The proxy itself must refuse private addresses.",
    "a URL that begins with http://",
  ),
};
