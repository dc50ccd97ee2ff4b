/** Model providers and their tools (token-families.md §7 and §11). */
import { type Family, vendor } from "./family.ts";

export const models = (): readonly Family[] => [
  vendor("anthropic", "Anthropic key", ["sk-ant-"], /sk-ant-(?:api|admin|oat|ort|sid)\d{2}-(?<body>[\w-]{80,140})/y),
  // Four letters in the middle spell the vendor's name in base64.
  vendor("openai", "OpenAI key", ["sk-"], /sk-(?:(?:proj|svcacct|admin|service|None)-)?(?<body>[\w-]{20,120}?T3BlbkFJ[\w-]{20,120})/y),
  vendor("openrouter", "OpenRouter key", ["sk-or-v1-"], /sk-or-v1-[\da-f]{64}/y),
  vendor("langfuse", "Langfuse key", ["sk-lf-"], /sk-lf-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/y),
  vendor("minimax", "MiniMax key", ["sk-api-"], /sk-api-[\w-]{119}/y),
  vendor("deepseek", "key of an sk- provider", ["sk-"], /sk-(?:[\da-f]{32}|[0-9A-Za-z]{48})/y),
  vendor("groq", "Groq key", ["gsk_"], /gsk_[0-9A-Za-z]{52}/y),
  vendor("xai", "xAI key", ["xai-"], /xai-[0-9A-Za-z]{70,120}/y),
  vendor("perplexity", "Perplexity key", ["pplx-"], /pplx-[0-9A-Za-z]{48,56}/y),
  vendor("hugging-face", "Hugging Face token", ["hf_", "api_org_"], /(?:hf|api_org)_[A-Za-z]{34}/y, {
    check: (_, body) => /[a-z]/.test(body) && /[A-Z]/.test(body),
  }),
  vendor("replicate", "Replicate token", ["r8_"], /r8_[0-9A-Za-z]{37}/y),
  vendor("nvidia", "NVIDIA key", ["nvapi-"], /nvapi-[\w-]{60,70}/y),
  vendor("cerebras", "Cerebras key", ["csk-"], /csk-[\da-z]{48}/y),
  vendor("fireworks", "Fireworks key", ["fw_"], /fw_[0-9A-Za-z]{22,24}/y),
  vendor("friendli", "Friendli token", ["flp_"], /flp_[0-9A-Za-z]{46}/y),
  vendor("together", "Together key", ["tgp_v1_"], /tgp_v1_[\w-]{43}/y),
  vendor("voyage", "Voyage key", ["pa-"], /pa-[\w-]{43}/y),
  vendor("jina", "Jina key", ["jina_"], /jina_[0-9A-Za-z]{60}/y),
  vendor("pinecone", "Pinecone key", ["pcsk_"], /pcsk_[0-9A-Za-z]{5,6}_[0-9A-Za-z]{63}/y),
  vendor("tavily", "Tavily key", ["tvly-"], /tvly-(?:(?:dev|prod)-)?[0-9A-Za-z]{32}/y),
  vendor("firecrawl", "Firecrawl key", ["fc-"], /fc-[\da-f]{32}/y),
  vendor("elevenlabs", "ElevenLabs key", ["sk_"], /sk_[\da-f]{48}/y),
  vendor("langsmith", "LangSmith key", ["ls__"], /ls__[\da-f]{32}/y),
  vendor("devin", "Devin key", ["apk_"], /apk_(?:user_)?[0-9A-Za-z+/]{80,180}={0,2}/y, { edge: "base64" }),
  vendor("devin", "Devin key", ["cog_"], /cog_[a-z2-7]{52}/y),
  vendor("langsmith", "LangSmith key", ["lsv2_"], /lsv2_(?:pt|sk)_[\da-f]{32}_[\da-f]{10}/y),
  vendor("wandb", "Weights and Biases key", ["wandb_v1_"], /wandb_v1_[\w-]{70,90}/y),
  vendor("e2b", "E2B key", ["e2b_"], /e2b_[\da-f]{40}/y),
  vendor("daytona", "Daytona key", ["dtn_"], /dtn_[\da-f]{64}/y),
  vendor("browserbase", "Browserbase key", ["bb_live_"], /bb_live_[\w-]{24,32}/y),
  vendor("cursor", "Cursor key", ["key_", "crsr_"], /(?:key|crsr)_[\da-f]{64}/y),
  vendor("brave", "Brave Search key", ["BSA"], /BSA[\w-]{24,40}/y, {
    check: (_, body) => /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body),
  }),
  vendor("coderabbit", "CodeRabbit key", ["cr-"], /cr-[\da-f]{58}/y),
  vendor("composio", "Composio key", ["ak_"], /ak_[0-9A-Za-z]{20}/y, {
    check: (_, body) => /[a-z]/.test(body) && /[A-Z]/.test(body) && /\d/.test(body),
  }),
];
