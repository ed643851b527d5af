import type { Image } from "#machine/imaging/image";

/** Separable Gaussian blur; the border repeats its last pixel. For small working images. */
export const gaussianBlur = (image: Image, sigma: number): Image => {
  const radius = Math.ceil(sigma * 3);
  const kernel = Float32Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma * sigma)),
  );
  const sum = kernel.reduce((total, weight) => total + weight, 0);
  kernel.forEach((weight, i) => {
    kernel[i] = weight / sum;
  });
  const { width, height } = image;
  const across = convolve(image.data, width, height, kernel, "across");
  const down = convolve(across, width, height, kernel, "down");
  return { width, height, data: new Uint8Array(new Uint8ClampedArray(down).buffer) };
};

const convolve = (
  source: Uint8Array | Float32Array,
  width: number,
  height: number,
  kernel: Float32Array,
  direction: "across" | "down",
): Float32Array => {
  const radius = (kernel.length - 1) / 2;
  const target = new Float32Array(source.length);
  const step = direction === "across" ? 3 : width * 3;
  const length = direction === "across" ? width : height;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const position = direction === "across" ? x : y;
      const centre = (y * width + x) * 3;
      const isInside = position >= radius && position < length - radius;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let k = -radius; k <= radius; k++) {
        const clamped = isInside ? k : Math.min(length - 1, Math.max(0, position + k)) - position;
        const weight = kernel[k + radius]!;
        const p = centre + clamped * step;
        red += weight * source[p]!;
        green += weight * source[p + 1]!;
        blue += weight * source[p + 2]!;
      }
      target[centre] = red;
      target[centre + 1] = green;
      target[centre + 2] = blue;
    }
  }
  return target;
};
