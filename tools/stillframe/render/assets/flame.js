
"use strict";
(function () {
  const characterWidth = 6.63, fullWidth = 1200;

  function fit(name, width) {
    const room = Math.floor((width - 6) / characterWidth);
    if (room < 3) return "";
    if (name.length <= room) return name;
    const short = name.split(".").slice(-2).join(".");
    return short.length <= room ? short : short.slice(0, room - 1) + "\u2026";
  }

  // Inverse functions for the gap between boxes, see flame_svg.cc.
  function spaced(width) { return width - Math.min(0.6, width / 3); }
  function unspaced(width) { return Math.min(width + 0.6, width * 1.5); }

  function pattern(text) {
    try {
      return new RegExp(text, "i");
    } catch {
      return new RegExp(text.replace(/[^\w\s]/g, "\\$&"), "i");
    }
  }

  // Adds text beside the title: "Search" and its result.
  function addText(svg, className, y) {
    const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.setAttribute("class", className);
    text.setAttribute("x", fullWidth - 12);
    text.setAttribute("y", y);
    svg.appendChild(text);
    return text;
  }

  function prepare(svg) {
    const hover = svg.querySelector("text.hover");
    const note = ["Click a frame to zoom in, and again to zoom out. Ctrl-F searches.", hover.textContent].join(" ");
    hover.textContent = note;
    const frames = Array.from(svg.querySelectorAll(".frames > g"), function (group) {
      const rect = group.querySelector("rect");
      const tip = group.querySelector("title").textContent;
      return {
        group: group, rect: rect, text: group.querySelector("text"), tip: tip,
        name: tip.replace(/ \([^()]*\): .*$|: [^:]*$/, ""),
        x: +rect.getAttribute("x"), y: +rect.getAttribute("y"),
        width: unspaced(+rect.getAttribute("width")),
      };
    });
    let zoomed = frames[0];

    function place(frame, x, width, faded) {
      const shown = width > 0.1;
      frame.group.style.display = shown ? "" : "none";
      if (!shown) return;
      frame.group.classList.toggle("faded", faded);
      frame.rect.setAttribute("x", x);
      frame.rect.setAttribute("width", spaced(width));
      const label = fit(frame.name, width);
      if (!frame.text && label) {
        frame.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
        frame.text.setAttribute("y", frame.y + 12.5);
        frame.group.appendChild(frame.text);
      }
      if (frame.text) {
        frame.text.textContent = label;
        frame.text.setAttribute("x", x + 3);
      }
    }

    function zoom(to) {
      zoomed = to;
      const scale = fullWidth / to.width;
      for (const frame of frames) {
        const middle = frame.x + frame.width / 2;
        const above = frame.y < to.y && frame.x <= to.x + 0.01 &&
            frame.x + frame.width >= to.x + to.width - 0.01;
        const inside = frame.y >= to.y && middle >= to.x && middle <= to.x + to.width;
        if (above) place(frame, 0, fullWidth, frame !== to && to !== frames[0]);
        else if (inside) place(frame, (frame.x - to.x) * scale, frame.width * scale, false);
        else place(frame, 0, 0, false);
      }
    }

    // Frames inside a match add nothing to the share. Callers come before callees.
    function find(text) {
      const wanted = text && pattern(text);
      let counted = { y: Infinity };
      let matched = 0;
      for (const frame of frames.slice(1)) {
        const matches = wanted && wanted.test(frame.name);
        frame.group.classList.toggle("found", Boolean(matches));
        const isInside = frame.y > counted.y &&
            frame.x + frame.width / 2 < counted.x + counted.width;
        if (!matches || isInside) continue;
        counted = frame;
        matched += frame.width;
      }
      found.textContent =
          text ? "Matched: " + (100 * matched / fullWidth).toFixed(1) + " %" : "";
      button.textContent = text ? "Reset search" : "Search";
    }

    function search() {
      const text = prompt("Part of a method's name, or a regular expression:");
      if (text !== null) find(text);
    }

    const button = addText(svg, "search", 28);
    const found = addText(svg, "matched", 50);
    button.setAttribute("tabindex", "0");
    button.setAttribute("role", "button");
    const press = function () { if (found.textContent) find(""); else search(); };
    button.addEventListener("click", press);
    button.addEventListener("keydown", function (event) { if (event.key === "Enter") press(); });
    document.addEventListener("keydown", function (event) {
      if (event.key !== "F3" && !((event.ctrlKey || event.metaKey) && event.key === "f")) return;
      event.preventDefault();
      search();
    });
    find("");

    for (const frame of frames) {
      frame.group.setAttribute("tabindex", frame.width > 4 ? "0" : "-1");
      frame.group.addEventListener("mouseenter", function () { hover.textContent = frame.tip; });
      frame.group.addEventListener("focus", function () { hover.textContent = frame.tip; });
      frame.group.addEventListener("mouseleave", function () { hover.textContent = note; });
      frame.group.addEventListener("click", function () {
        zoom(zoomed === frame ? frames[0] : frame);
      });
      frame.group.addEventListener("keydown", function (event) {
        if (event.key === "Enter") zoom(zoomed === frame ? frames[0] : frame);
        if (event.key === "Escape") zoom(frames[0]);
      });
    }
  }

  prepare(document.documentElement);
})();
