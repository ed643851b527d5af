import { testPersonas } from "./personas.ts";

testPersonas(/^(facial|liveness|user|update|pad|civil|outage|delay)-/u);
