/** The script of the hosted capture page (src/machine/http/pages/). */
import { startCapturePage } from "./page/capture-page.ts";

startCapturePage();
