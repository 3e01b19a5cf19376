// What tsc does not look for.
const globals = Object.fromEntries([
  "addEventListener", "clearInterval", "clearTimeout", "CustomEvent", "devicePixelRatio", "document", "Event", "EventTarget", "fetch", "getComputedStyle", "history",
  "HTMLTableRowElement", "innerHeight", "innerWidth", "localStorage", "location", "matchMedia", "Node", "performance", "requestAnimationFrame", "ResizeObserver", "setInterval",
  "setTimeout", "TextDecoder", "URL", "URLSearchParams", "WebSocket", "window", "Blob", "navigator",
].map((name) => [name, "readonly"]));

export default [{
  files: ["static/js/*.js"],
  languageOptions: { ecmaVersion: 2022, sourceType: "module", globals },
  rules: {
    "no-undef": "error", "no-unused-vars": "error", "prefer-const": "error", "no-var": "error", eqeqeq: "error", "no-eval": "error", "no-implied-eval": "error",
    "no-shadow": "error", "no-restricted-properties": ["error", { property: "innerHTML", message: "Text is text: use el() and put()." }, { property: "outerHTML" }],
    "max-lines": ["error", 300], "max-lines-per-function": ["error", 80], "no-console": "error",
  },
}];
