import fc from "fast-check";
import { expect, it } from "vitest";
import type { Point } from "#machine/imaging/image";
import { fitFlat } from "./homography.ts";

const small = (max: number) => fc.double({ min: -max, max, noNaN: true });
const places: readonly Point[] = Array.from({ length: 25 }, (_, i) => [
  (i % 5) * 30 + ((i * 7) % 11),
  Math.floor(i / 5) * 25 + ((i * 5) % 13),
]);

it("explains every view of a flat object, and measures no tilt for a shift, a rotation or a scale", () => {
  const views = fc.tuple(small(0.4), small(0.4), small(0.001), small(0.001), small(3));
  fc.assert(
    fc.property(views, ([stretch, shear, g, h, angle]) => {
      const seen = places.map(([x, y]): Point => {
        const [u, v] = [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
        const w = 1 + g * u + h * v;
        return [((1 + stretch) * u + shear * v + 40) / w, (v + 9) / w];
      });
      expect(fitFlat(places, seen)!.residual).toBeLessThan(0.002);
    }),
  );
  const moved = places.map(([x, y]): Point => [3 * y + 5, -3 * x + 90]);
  expect(fitFlat(places, moved)!.tilt).toBeCloseTo(0, 6);
});

it("does not explain the views of an object with depth", () => {
  const seen = places.map(([x, y], i): Point => [x + (i % 2 === 0 ? 12 : 0), y]);
  expect(fitFlat(places, seen)!.residual).toBeGreaterThan(0.05);
});

it("is undefined for points on one line", () => {
  const line = places.map((_, i): Point => [i, 2 * i]);
  expect(fitFlat(line, line)).toBeUndefined();
});
