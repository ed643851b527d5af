# The image of a service: docs/guides/operate/container.md. Two architectures: linux/amd64 and linux/arm64.
#   docker build --tag idem .
FROM node:24-bookworm-slim AS tree
WORKDIR /source
COPY . .
RUN scripts/assemble.sh /opt/idem

# The same Debian, with the program of Node alone. Debian has glibc: the inference library has no build for musl (Alpine).
FROM debian:bookworm-slim
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --no-create-home node \
  && install -d -m 700 -o node -g node /var/lib/idem
COPY --from=tree /usr/local/bin/node /usr/local/bin/node
COPY --from=tree /opt/idem /opt/idem
WORKDIR /opt/idem
USER node
# The file system may be read-only: compiled modules go to /tmp, data to the volume.
ENV IDEM_MODE=production \
  IDEM_DATA=/var/lib/idem \
  IDEM_HOST=0.0.0.0 \
  IDEM_BEHIND_TLS=true \
  NODE_COMPILE_CACHE=/tmp/idem-compiled
VOLUME /var/lib/idem
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.IDEM_PORT || 8080}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/cli/idem.ts"]
CMD ["serve"]
