# The service of one clinic. Built and tried without a container engine by `npm run image:check`.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci --include=dev --loglevel=error
RUN npm run build
# What runs: the bundle without the practice clinic and its fake OSCAR, the pages, migrations, translations, and the one package with machine code.
RUN mkdir image && cp -r --parents dist apps/web/dist apps/desk/dist apps/service/migrations packages/texts/locales node_modules/sharp node_modules/@img node_modules/detect-libc node_modules/semver image
RUN rm image/dist/practice.mjs image/dist/practice.mjs.map image/dist/fake-oscar-*

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app/image ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/service.mjs"]
