# docker build -t animal-store .      How to run it: docs/deploy.md

# The service needs Node 24.15, or a later one whose SQLite has the fix of the WAL-reset bug (3.51.3): every Node 26 does.
FROM node:26-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Install scripts would fetch another Node and PostgreSQL, which only the tests need.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json tsconfig.types.json ./
COPY scripts scripts
COPY bin bin
COPY src src
# Omits optional dependencies as well: TypeScript is one, as an optional peer of a dependency.
RUN node scripts/build.ts && npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATABASE_URL=sqlite:/data/animal-store.db
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
RUN mkdir /data && chown 1000:1000 /data && ln -s /app/bin/animal-store.js /usr/local/bin/animal-store
# The account `node` of the base image. Only from a number can Kubernetes see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "-e", \
  "const [, port = process.env.PORT ?? 8080] = /\\0--port[=\\0](\\d+)/.exec(require('fs').readFileSync('/proc/1/cmdline', 'latin1')) ?? []; \
  fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# 16 MB is enough: more costs memory and saves no time.
ENTRYPOINT ["node", "--disable-sigusr1", "--max-semi-space-size=16", "/app/bin/animal-store.js"]
CMD ["serve"]
