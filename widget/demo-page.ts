/** The script of the page of the demo (src/http/pages/). */
import { startDemo } from "./demo/start-demo.ts";

startDemo();
