/** Entry of the thread of the hostile peers: their floods take no time of the thread that a test measures. */
import { parentPort } from "node:worker_threads";
import { servePeers } from "./hostile-peers.ts";

const peers = await servePeers();
parentPort?.on("message", () => parentPort?.postMessage(peers.bytesSent()));
parentPort?.postMessage(peers.port);
