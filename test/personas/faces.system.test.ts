import { testPersonas } from "./personas.ts";

testPersonas(/^(facial|liveness|user|update|pad|outage|delay)-/u);
