/** The script of the page of the demo (src/machine/http/pages/). */
import { startDemo } from "./demo/start-demo.ts";

startDemo();
