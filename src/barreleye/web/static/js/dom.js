/** Making elements: the one way in which views build what they show. Text is always text, never HTML. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element with attributes, listeners (on...) and children. `text` and `class` are what they say.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  dress(made, props);
  fill(made, ...children);
  return made;
}

/**
 * The same for SVG.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  dress(made, props);
  fill(made, ...children);
  return made;
}

/**
 * @param {Element} made
 * @param {Record<string, any>} props
 */
function dress(made, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") made.textContent = String(value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Replace what is in an element.
 * @param {Element} where
 * @param {...Child} children
 */
export function put(where, ...children) {
  where.textContent = "";
  fill(where, ...children);
}

/**
 * @param {Element} where
 * @param {...Child} children
 */
function fill(where, ...children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    where.append(child instanceof Node ? child : String(child));
  }
}

/**
 * An element of the page, which has to be there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * A whole number as people write it.
 * @param {number} value
 */
export function count(value) {
  return Math.round(value).toLocaleString("en");
}

/** Wait until what was drawn is on the screen; a page in the background is not drawn, and does not wait for long. */
export function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}
