/** The script of the hosted capture page (src/http/pages/). */
import { startCapturePage } from "./page/capture-page.ts";

startCapturePage();
